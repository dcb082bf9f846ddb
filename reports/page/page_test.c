/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/page/page.h"

#include <math.h>

#include "reports/draw/markup.h"
#include "reports/page/html.h"
#include "reports/select/run/testing.h"

static char *text_of_page(struct made_run *run)
{
    static struct page page;
    size_t length;
    page.figure_count = 0;
    char *text = page_text(&run->view, &page, &length);
    assert_non_null(text);
    assert_int_equal(strlen(text), length);
    return text;
}

TEST(text_is_escaped)
{
    freed char *text;
    size_t length;
    FILE *html = open_memstream(&text, &length);
    markup_text(html, "<b a=\"1\" c='2'>&\001µ");
    html_number(html, "%.1f", 2.04);
    html_number(html, "≈ %.1f", 2.04);
    html_number(html, "%.1f", (double)NAN);
    fclose(html);
    assert_string_equal(
        text, "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;µ<td>2.0</td><td data-v=\"2.04\">≈ 2.0</td><td>–</td>");
}

TEST(hostile_records_stay_text)
{
    MADE_RUN_OF(
        run, "{'<i>':{'<u>':'<s>'},'started':'<x>','cpu':{'brand':'<img src=x>'},'command':['<c>',5],'revision':'<r>'}",
        "{'type':'gemv','name':'<n>','binds':'<b1>','protocol':'<p>'},{'type':'gamma','name':'<g>'},"
        "{'type':'beta','stream':'<st>','level':'<l>','prefetch':'<pf>'},{'type':'sync','name':'<sy>'},"
        "{'type':'clock','name':'<ck>'},{'type':'end','disturbance':{'<d>':1}},"
        "{'type':'samples','tsc_hz':1,'grade':'chain','rejected':{'<why>':[0]},'ticks':[1],'core_khz':[1]}");
    freed char *text = text_of_page(&run);
    static const char *const tags[] = {"<i>",  "<u>", "<s>",  "<x>", "<img", "<c>",  "<r>",  "<n>",   "<b1>",
                                       "<p>l", "<g>", "<st>", "<l>", "<pf>", "<sy>", "<ck>", "<why>", "<d>"};
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        assert_lacks(text, tags[i]);
    assert_contains(text, "&lt;img src=x&gt;", "&lt;why&gt;", "&lt;c&gt; ?");
}

TEST(repacking_says_when_it_pays_or_why_it_does_not)
{
    MADE_RUN(
        run,
        "{'type':'repack','name':'q4_0_8x8','rows':'q4_0','m':64,'k':64,'threads':1,'time_s':{'median':2e-6,'n':9},"
        "'bytes_per_s':{'median':3e9},'pays_after_tokens':7.5},"
        "{'type':'repack','name':'q4_0_8x8','rows':'q4_0','m':64,'k':64,'threads':2,'time_s':{'median':null,'n':3},"
        "'bytes_per_s':null,'pays_after_tokens':null,'pays_after_tokens_reason':'no <gain>'}");
    freed char *text = text_of_page(&run);
    assert_contains(text, "id=\"repack\"", "<td>7.5</td>", "no &lt;gain&gt;");
}

TEST(what_platform_json_lacks_is_listed_with_its_reason)
{
    char folder[] = "/tmp/kneepoint-page-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/platform.json", folder);
    MADE_RUN(run, SMALL_RUN);
    run.view.path = folder;
    static const char *const files[] = {"{\"left_out\":{\"gamma a.<b>.avx2 on P\":\"graded wall\",\"c\":5}}",
                                        "{\"left_out\":{}}", "{\"left_out\":[1]}", "{"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        FILE *file = fopen(path, "w");
        fputs(files[i], file);
        fclose(file);
        char *text = text_of_page(&run);
        if (i == 0) {
            assert_contains(text, "Left out of platform.json, the input of predictions: 2",
                            "<td>gamma a.&lt;b&gt;.avx2 on P</td><td>graded wall</td>");
        } else {
            assert_lacks(text, "Left out of platform.json");
        }
        free(text);
    }
    assert_int_equal(remove(path), 0);
    char *text = text_of_page(&run);
    assert_lacks(text, "Left out of platform.json");
    free(text);
    assert_int_equal(remove(folder), 0);
}

TEST(the_bias_budget_is_a_table_where_there_is_one)
{
    MADE_RUN_OF(run, "{'kneepoint':'0.1.0'}",
                SMALL_RUN
                ",{'type':'bias','name':'<k>','subject':'warm','factor':'stack','levels':[{},{}],'spread':0.02,"
                "'distance':0.01,'net':null}");
    freed char *text = text_of_page(&run);
    assert_contains(text, "<summary>What a change of layout alone does here</summary>", "&lt;k&gt;", "<td>2.00</td>",
                    ">1.01</td>");
    free(text);
    remake_run(&run, "{'kneepoint':'0.1.0'}", SMALL_RUN);
    text = text_of_page(&run);
    assert_lacks(text, "change of layout");
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        count++;
    return count;
}

TEST(no_name_is_given_to_two_elements)
{
    MADE_RUN(run, SMALL_RUN ",{'type':'gemm','name':'int2.mask.avx2','m':64,'k':64,'n':4,'threads':1}");
    freed char *text = text_of_page(&run);
    assert_contains(text, "<table id=\"gemm-cells\"");
    for (const char *at = text; (at = strstr(at, " id=\"")); at++) {
        char name[80];
        snprintf(name, sizeof name, "%.*s", (int)(strcspn(at + 5, "\"") + 6), at);
        if (count_of(text, name) != 1)
            fail_msg("%s stands %zu times in the page", name, count_of(text, name));
    }
}

TEST(page_needs_no_network)
{
    MADE_RUN_OF(run, "{'kneepoint':'0.1.0'}", SMALL_RUN);
    freed char *text = text_of_page(&run);
    assert_lacks(text, "src=", "<link", "url(");
    assert_contains(text, "prefers-color-scheme", "addEventListener");
}

TEST(cells_stand_in_a_table_for_each_width)
{
    MADE_RUN(
        run,
        RECORDS(GEMV("one", "mask", 1.0, 64, 128, 1, "cold", 1e-6, 1.0, 0.5, 0.1),
                GEMV("two", "mask", 2.0, 64, 128, 1, "cold", 1e-6, 1.0, 0.5, 0.1),
                GEMV("padded", "mask", 2.03, 64, 256, 1, "cold", 1e-6, 1.0, 0.5, 0.1),
                "{'type':'gemv','name':'none','m':1,'k':1,'threads':1,'protocol':'cold','time_s':{'median':1,'n':7,"
                "'rejected':3,'grade':'wall'},'ops_per_cycle':{'median':1,'grade':'chain'}}"));
    freed char *text = text_of_page(&run);
    const char *two = strstr(text, "<h4>2-bit weights</h4>"), *one = strstr(text, "<h4>1-bit weights</h4>"),
               *none = strstr(text, "<h4>unknown width</h4>");
    assert_true(two && one && none && two < one && one < none);
    assert_contains(two, "id=\"gemv-0-about\">2 cells.</p>");
    assert_contains(one, "id=\"gemv-1-about\">1 cell.</p>");
    assert_contains(none, "<td>7</td><td>3</td><td>chain</td></tr>");
}

/* A cold cell of two threads on the reference shape, its halves alike or none. */
#define WIDE(name, format, bits, time, halves, share, binds)                                                           \
    "{'type':'gemv','name':'" name "','format':'" format "','origin':'kneepoint','format_bits':" #bits                 \
    ",'bits':" #bits ",'m':4096,'k':4096,'threads':2,'protocol':'cold','binds':'" binds "','predicted_s':" #time       \
    ",'time_s':{'median':" #time ",'n':12" halves                                                                      \
    "},'bytes_per_cycle_per_core':{'median':2,'n':12,'grade':'chain'},'ops_per_cycle':{"                               \
    "'median':8,'grade':'chain'},'roof_fraction':{'median':" #share ",'n':12" halves "}}"
#define DEALT ",'halves':[{'median':0.5,'ci95':[0.4,0.6],'n':6},{'median':0.5,'ci95':[0.4,0.6],'n':6}]"

TEST(the_first_screen_counts_what_its_picture_shows)
{
    MADE_RUN(run, RECORDS(WIDE("one", "one", 1, 0.5, "", 0.9, "memory"), WIDE("two", "two", 2, 0.5, "", 0.9, "memory"),
                          WIDE("not in the picture", "three", 3, 0.5, "", 0.9, "up-convert")));
    freed char *text = text_of_page(&run);
    assert_contains(text, "Memory limits the best kernels of all 2 widths shown", "cycles by the chain clock (chain)");
    assert_lacks(text, "Passed over", "more than 2");
    free(text);
    remake_run(&run, "{}",
               RECORDS(WIDE("one", "one", 1, 0.5, "", 0.25, "memory"), WIDE("slow", "one", 1, 0.7, "", 0.25, "memory"),
                       WIDE("two", "two", 2, 0.5, DEALT, 0.9, "memory"),
                       WIDE("hasty", "two", 2, 0.1, "", 0.9, "memory"),
                       WIDE("eight", "eight", 8, 0.5, DEALT, 0.6, "up-convert")));
    text = text_of_page(&run);
    assert_contains(
        text, "Memory limits the best kernel of 0 of the 3 widths shown, instructions that of 1, neither that of 2",
        "<code>hasty</code> may be faster, but too few of its samples were kept.",
        "though they may be faster: 2-bit <code>hasty</code>.",
        "no kernel of their width kept 12 samples; they have the least median, luck included: 1-bit "
        "<code>one</code>.");
}

#define OF_KIND(name, kind, origin, time, share)                                                                       \
    "{'type':'gemv','name':'" name "','format_kind':'" kind "','origin':'" origin                                      \
    "','format_bits':2,'bits':2,'m':4096,"                                                                             \
    "'k':4096,'threads':2,'protocol':'cold','binds':'memory','time_s':{'median':" #time ",'n':12},"                    \
    "'bytes_per_cycle_per_core':{'median':2,'n':12,'grade':'chain'},'roof_fraction':{'median':" #share ",'n':12}}"

TEST(the_published_kernel_is_named_and_of_our_kind)
{
    MADE_RUN(run, RECORDS(OF_KIND("ours", "scaled integers", "kneepoint", 0.5, 0.9),
                          OF_KIND("plain", "integers", "envelope", 0.51, 0.88),
                          OF_KIND("scaled", "scaled integers", "llama.cpp", 0.7, 0.6)));
    freed char *text = text_of_page(&run);
    assert_contains(text, "<li>Of published 2-bit kernels whose weights are scaled integers, too, the best is "
                          "<code>scaled</code>: it gets 60% of the roof, this one 90%.</li>");
    free(text);
    remake_run(&run, "{}",
               RECORDS(OF_KIND("ours", "scaled integers", "kneepoint", 0.5, 0.9),
                       OF_KIND("plain", "integers", "envelope", 0.51, 0.88)));
    text = text_of_page(&run);
    assert_lacks(text, "Of published 2-bit kernels");
    assert_contains(text, "none of this kind");
}

TEST(page_says_what_is_wrong_with_the_run)
{
    MADE_RUN_OF(
        run, "{'synthetic':true,'dirty':true,'left_out':'three cells'}",
        RECORDS(GAMMA("p", "envelope", 4.0, 4, 2.5, 2.4, true), "{'type':'end','complete':false,'interrupted':true}"));
    run.records.truncated = true;
    run.records.bad_lines = 2;
    run.records.first_bad_line = 17;
    strcpy(run.records.first_bad_reason, "time_s is null");
    freed char *text = text_of_page(&run);
    assert_contains(text, "Synthetic run", "uncommitted changes",
                    "Left out of this run since it was measured: three cells.", "This run was interrupted",
                    "<code>kneepoint characterize --resume=results/machine/run</code>", "was cut off",
                    "2 lines of records.jsonl are wrong and left out; the first is line 17: time_s is null.",
                    "<code>kneepoint beta --into=results/machine/run</code> measures it",
                    "not measured; <code>kneepoint beta --into=results/machine/run</code> measures it");
    assert_lacks(text, "`kneepoint beta");
    assert_contains(text, "<code>kneepoint gemv --into=results/machine/run</code> measures it");
    assert_lacks(text, "<code>kneepoint gamma --into=results/machine/run</code> measures it");
}

TEST(the_glossary_is_that_of_the_documents)
{
    MADE_RUN(run, "");
    freed char *text = text_of_page(&run);
    assert_contains(text, "<a href=\"#glossary\">Glossary</a>",
                    "<dt><code>B</code></dt><dd>packed bytes of an output vector, scales included",
                    "<dt>cold, warm</dt>");
    assert_null(strstr(text, "The same in the papers"));
}

TEST(complete_run_has_no_notice)
{
    MADE_RUN_OF(run, "{'dirty':false}",
                RECORDS(SMALL_RUN, KNEE("int2.envelope.avx_vnni", "L2", 1, 0, 30, 6.2, 4.7, 0.9, 0.03),
                        "{'type':'end','complete':true,'samples':10,'rejected':{'interrupt':2}}"));
    freed char *text = text_of_page(&run);
    assert_lacks(text, "class=\"notice\"");
    assert_contains(text, "10 samples: 8 kept, 2 rejected.");
    assert_lacks(text, "<code>kneepoint beta --into=results/machine/run</code> measures it",
                 "<code>kneepoint knee --into=results/machine/run</code> measures it");
}

TEST(a_model_that_the_features_contradict_is_said)
{
    MADE_RUN_OF(run, "{'dirty':false}",
                SMALL_RUN ",{'type':'machine','cpu':'Xeon','microarchitecture':'Redwood Cove (server)',"
                          "'microarchitecture_stated':'Cypress Cove','contradiction':'the model <stated>'}");
    freed char *text = text_of_page(&run);
    assert_contains(text, "<p class=\"sub\">Redwood Cove (server)",
                    "<p class=\"sub\">Named by its features; the model &lt;stated&gt;</p>");
    free(text);
    remake_run(&run, "{'cpu':{'name':'Xeon','microarchitecture':null,'contradiction':'the model stated'}}", SMALL_RUN);
    text = text_of_page(&run);
    assert_contains(text, "<p class=\"sub\">Not named by its features; the model stated</p>");
    free(text);
    remake_run(&run, "{'cpu':{'name':'Xeon','contradiction':null}}", SMALL_RUN);
    text = text_of_page(&run);
    assert_lacks(text, "by its features");
}

TEST(a_width_that_was_not_measured_spans_its_table)
{
    MADE_RUN_OF(run, "{'dirty':false}", SMALL_RUN);
    char *text = text_of_page(&run), *table = strstr(text, "<table id=\"recommended\""), *end, span[64];
    int columns = 0;
    assert_non_null(table);
    end = strstr(table, "</thead>");
    assert_non_null(end);
    for (char *at = table; (at = strstr(at, "<th ")) && at < end; at++)
        columns++;
    snprintf(span, sizeof span, "<td colspan=\"%d\">not in this run", columns - 1);
    assert_contains(end, span);
    free(text);
}

TEST(streams_stand_beside_themselves_with_prefetch)
{
    MADE_RUN(run, RECORDS(KNEE("int2.envelope.avx_vnni", "memory", 2, 0, 6.4, 4.0, 1.0, 0.4, 0.6),
                          KNEE("int2.envelope.avx_vnni", "memory", 2, 2048, 6.4, 6.0, 1.0, 0.9, 0.07),
                          KNEE("int2.envelope.avx_vnni", "L1", 2, 0, 60, 6.3, 9.4, 0.8, 0.02)));
    freed char *text = text_of_page(&run);
    assert_contains(text, "The knee, tested",
                    "<td>2048</td><td>6.00</td>"
                    "<td>+50.0</td>",
                    "<code>kneepoint gemv --into=results/machine/run</code> measures it");
    assert_lacks(text, "<code>kneepoint knee --into=results/machine/run</code> measures it");
    free(text);
    remake_run(&run, "{}", SMALL_RUN);
    text = text_of_page(&run);
    assert_lacks(text, "The knee, tested");
    assert_contains(text, "<code>kneepoint knee --into=results/machine/run</code> measures it");
}

TEST(run_without_end_or_records_is_said_so)
{
    MADE_RUN(run, "");
    freed char *text = text_of_page(&run);
    assert_contains(text, "did not finish", "holds no summaries yet", "has no meta.json", "unknown CPU");
}

TEST(a_run_without_halves_says_that_its_best_are_plain)
{
    MADE_RUN(run, "{'type':'gemv','name':'a','m':64,'k':64,'threads':1,'protocol':'cold','time_s':{'median':1e-6}}");
    freed char *text = text_of_page(&run);
    assert_contains(text, "No cell of this run has its samples split in halves");
    free(text);
    remake_run(&run, "{}",
               "{'type':'gemv','name':'a','m':64,'k':64,'threads':1,'protocol':'cold','time_s':{'median':1e-6,"
               "'ci95':[1e-6,1e-6],'n':12,'halves':[{'median':1e-6,'ci95':[1e-6,1e-6],'n':6},"
               "{'median':1e-6,'ci95':[1e-6,1e-6],'n':6}]}}");
    text = text_of_page(&run);
    assert_null(strstr(text, "has its samples split in halves"));
}

TEST(a_run_says_how_much_of_all_it_has)
{
    MADE_RUN(
        run,
        "{'type':'end','complete':true,'interrupted':false,'cells':9,'cells_skipped':0,'cells_left_out':4,'cells_dropped':2,"
        "'cells_unsettled':2,'budget_s':150,'seconds':100,'skipped':[],"
        "'left_out':{'reason':'not planned: beyond the budget','least_budgets_s':{'gemm':310,'latency':111},'cells':{}},"
        "'dropped':{'reason':'dropped: the machine was slower than estimated','cells':{}}}");
    freed char *text = text_of_page(&run);
    assert_contains(text, "<strong>9 of 15 cells, all that 150 s hold</strong>",
                    "2 cells could not be settled: the machine was too busy",
                    "4 more were not planned: beyond the budget; <code>kneepoint list plan</code> with that budget "
                    "lists them. 2 more were planned, and dropped: the machine was slower than estimated.",
                    "<code>kneepoint gemm --into=results/machine/run</code> measures it; so does "
                    "<code>kneepoint characterize --budget=6m</code>, in a new run.",
                    "latency (<code>kneepoint beta --latency --into=results/machine/run</code>, or in a new run "
                    "<code>kneepoint characterize --budget=120</code>)");
}

TEST(validity_shows_what_was_skipped_and_what_disturbed)
{
    MADE_RUN_OF(
        run, "{'shared_cores':{'threads_asked':16,'threads':2,'undisturbed_asked':0.01,'undisturbed':0.625}}",
        RECORDS(GEMV("a", "mask", 2.0, 64, 128, 1, "cold", 1e-6, 1.0, 1.2, -0.2),
                "{'type':'gemv','name':'b','above_roof':true,'protocol':'cold','time_s':1e-6,'kept_though_"
                "interrupted':3},"
                "{'type':'end','complete':false,'interrupted':false,'cells':9,'cells_skipped':1,'budget_s':150,'"
                "seconds':100,"
                "'skipped':[{'name':'gemv/<x>','reason':'no memory'},7],'disturbance':{'interrupts':500,'bees':1}}"));
    freed char *text = text_of_page(&run);
    assert_contains(text, "its budget ran out",
                    "teams of up to 2 were measured, which had their cores to themselves in 62% of the "
                    "checks; teams of 16 did in 1%.",
                    "9 cells, 1 skipped; 100 s of a budget of 150 s.", "<td>gemv/&lt;x&gt;</td><td>no memory</td>",
                    "<td>interrupts</td><td>500</td><td>5</td>",
                    "Kept though interrupted: 3 samples of GEMV cells, in 1 of", "<tr class=\"invalid\"><td>b</td>",
                    "<td>above their roof by more than 3%</td><td>1</td>");
}

/* Ten streams of a team stay open; the slowest goes into the folded table, but never the roof. */
TEST(of_a_sequence_its_best_and_the_published_are_shown)
{
    MADE_RUN(
        run,
        "{'type':'gamma','name':'a.x.avx2','accumulators':1,'usable':true,'gamma':{'median':4.5,'n':9}},"
        "{'type':'gamma','name':'a.x.avx2','accumulators':8,'usable':true,'best':true,'gamma':{'median':0.75,'n':9}},"
        "{'type':'gamma','name':'a.p.avx2','accumulators':2,'usable':true,'claimed':2.0,'gamma':{'median':2.125,'n':9}},"
        "{'type':'gamma','name':'a.p.avx2','accumulators':8,'usable':true,'best':true,'claimed':2.0,'gamma':{'median':1.25,'n':9}},"
        "{'type':'gamma','name':'a.q.avx2','accumulators':3,'gamma':{'median':3.5,'n':9}}");
    char *text = text_of_page(&run), *table = strstr(text, "<table id=\"gamma\"");
    assert_non_null(table);
    assert_lacks(table, "4.500");
    assert_contains(table, "<td>0.750</td>", "<td>2.125</td>", "as published", "<td>1.250</td>");
    assert_contains(table, "<td>3.500</td>"); /* of one without a best all */
    free(text);
}

TEST(slow_streams_are_counted)
{
    char lines[4096] = BETA(2, 1e9, 1.0, false);
    for (int i = 0; i < 12; i++) {
        size_t length = strlen(lines);
        snprintf(lines + length, sizeof lines - length,
                 ",{'type':'beta','name':'%d','stream':'stream-%d','level':'memory','threads':1,'roof':%s,"
                 "'bytes_per_s':%d}",
                 i, i, i == 0 ? "true" : "false", 1000 + i);
    }
    MADE_RUN(run, lines);
    freed char *text = text_of_page(&run);
    assert_contains(text, "1 more stream was tried, slower than these");
    assert_lacks(text, "stream-1<");
    assert_contains(text, "stream-0<"); /* the roof is shown, however slow */
    assert_contains(text, "stream-2<");
    assert_true(strstr(text, "stream-11<") < strstr(text, "stream-10<"));
}

/* A kernel's cell on the reference shape. */
#define OF_KERNEL(name, origin, bits, threads, protocol, exactness)                                                    \
    "{'type':'gemv','name':'" name "','format':'f','sequence':'s','origin':'" origin "','bits':" #bits                 \
    ",'format_bits':" #bits ",'m':4096,'k':4096,'threads':" #threads ",'protocol':'" protocol                          \
    "','time_s':{'median':4e-4},'roof_fraction':{'median':0.75},'ops_per_cycle':{'median':61.5},'gamma':1.25,"         \
    "'prepare_s':2e-6,'prepare_share':0.005,'within_bound':true," exactness "}"

TEST(kernels_stand_in_one_table)
{
    MADE_RUN(
        run,
        RECORDS(OF_KERNEL("f.ours.x", "kneepoint", 2.06, 1, "cold", "'exact':true,'lossless':true"),
                OF_KERNEL("f.ours.x", "kneepoint", 2.06, 2, "cold", "'exact':true,'lossless':true"),
                OF_KERNEL("f.ours.x", "kneepoint", 2.06, 1, "warm", "'exact':true,'lossless':true"),
                OF_KERNEL("f.paper.x", "a-paper", 2.06, 1, "cold", "'exact':false,'error':0.0123,'lossless':false"),
                "{'type':'gemv','name':'elsewhere','m':64,'k':64,'threads':1,'protocol':'cold','time_s':1e-6}"));
    freed char *text = text_of_page(&run);
    const char *table = strstr(text, "id=\"kernels\""), *end = table ? strstr(table, "</table>") : NULL;
    assert_non_null(end);
    freed char *rows = strndup(table, (size_t)(end - table));
    assert_true(strstr(rows, "f.paper.x") < strstr(rows, "f.ours.x"));
    assert_contains(rows, "<td>yes</td><td>exact</td>", "<td>no</td><td>1.2e-02</td>", ">400.0</td><td>0.750</td>",
                    ">61.5</td>", ">1.25</td>", ">2.00</td><td>0.5</td>");
    assert_contains(rows, ">–</td>"); /* the paper's has no warm cell, and none with two threads */
    assert_lacks(rows, "elsewhere");
}

RUN_TESTS(NULL, NULL)
