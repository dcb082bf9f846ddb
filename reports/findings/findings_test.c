/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/findings/finding.h"
#include "reports/select/kernels/gemv_map.h"
#include "reports/select/machines/headlines.h"
#include "reports/select/machines/recommended.h"
#include "reports/select/run/testing.h"

/* Text of the finding with this title; "" if it was not made. */
static const char *text_of(const struct finding *findings, size_t count, const char *title)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(findings[i].title, title) == 0)
            return findings[i].text;
    }
    return "";
}

/* Its rows, likewise. */
static const char *rows_of(const struct finding *findings, size_t count, const char *title)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(findings[i].title, title) == 0)
            return findings[i].rows;
    }
    return "";
}

TEST(small_run_becomes_words_and_rows)
{
    struct finding findings[FINDINGS_MAX];
    MADE_RUN(run, SMALL_RUN);
    size_t count = findings_collect(&run.view, findings, FINDINGS_MAX);
    assert_int_equal(count, 6);
    const char *knee = rows_of(findings, count, "Where the knee is");
    assert_contains(knee, "the papers' 2-bit\tint2.envelope.avx_vnni\t4\t6.4\t1.25\tlatency\tmemory\n",
                    "our 2-bit\tint2.mask.avx_vnni\t8\t16\t0.5\tlatency\tmemory\n");
    assert_lacks(knee, "up-converting");
    assert_contains(rows_of(findings, count, "What memory gives"),
                    "memory\t1\t10.0\t4\t–\t–\ts\nmemory\t2\t15.0\t3\t–\t–\ts\n");
    assert_contains(text_of(findings, count, "What memory gives"), "Core clock 2.50 GHz, measured;");
    assert_string_equal(rows_of(findings, count, "Where memory is the limit"),
                        "published 2-bit\t–\t50\t–\t–\tno\nour 2-bit\t–\t90\t–\t–\tyes\n");
    assert_string_equal(rows_of(findings, count, "Against the papers' and llama.cpp's sequences"),
                        "2\tavx_vnni\tthe paper\tint2.envelope\t1.25\tint2.mask\t0.50\t2.50\t2.00 cold (1 cell)\n");
    assert_string_equal(rows_of(findings, count, "The γ that the papers claim"),
                        "int2.envelope.avx_vnni\t1.25\t1.25\t+0.0\t4\tlatency\n");
    assert_string_equal(rows_of(findings, count, "How well the model predicts"),
                        "less than 2²⁰\t2\t+10.0\t20.0\t+30\tint2.envelope.avx_vnni\t64×128\t2\n");
}

#define OF_KIND(name, kind, origin, bits, gamma)                                                                       \
    "{'type':'gamma','name':'" name ".avx2','isa':'avx2','sequence':'s','format_kind':'" kind "','origin':'" origin    \
    "','format_bits':" #bits ",'bytes_per_vector':16,'accumulators':4,'usable':true,'gamma':{'median':" #gamma "}}"

TEST(only_weights_of_one_kind_are_held_against_each_other)
{
    struct finding findings[FINDINGS_MAX];
    MADE_RUN(run, RECORDS(OF_KIND("q4_k", "scaled integers", "llama.cpp", 4.5, 2.19),
                          OF_KIND("mxfp4.reference", "codebook", "llama.cpp", 4.25, 4),
                          OF_KIND("int4_vnni4", "integers", "kneepoint", 4.25, 1),
                          OF_KIND("q4_0_m16", "scaled integers", "kneepoint", 4.5, 1.46),
                          OF_KIND("mxfp4", "codebook", "kneepoint", 4.25, 2)));
    size_t count = findings_collect(&run.view, findings, FINDINGS_MAX);
    assert_string_equal(rows_of(findings, count, "Against the papers' and llama.cpp's sequences"),
                        "4.5\tavx2\tllama.cpp\tq4_k\t2.19\tq4_0_m16\t1.46\t1.50\t\n"
                        "4.25\tavx2\tllama.cpp\tmxfp4.reference\t4.00\tmxfp4\t2.00\t2.00\t\n");
    remake_run(&run, "{}",
               RECORDS(OF_KIND("q4_k", "scaled integers", "llama.cpp", 4.5, 2.19),
                       OF_KIND("int4_vnni4", "integers", "kneepoint", 4.25, 1)));
    count = findings_collect(&run.view, findings, FINDINGS_MAX);
    assert_string_equal(rows_of(findings, count, "Against the papers' and llama.cpp's sequences"), "");
}

TEST(the_idle_latency_stands_beside_what_one_core_reads)
{
    struct finding findings[FINDINGS_MAX];
    MADE_RUN(run, SMALL_RUN ",{'type':'latency','name':'memory/idle','level':'memory','threads':1,'readers':0,"
                            "'latency_s':{'median':1e-7,'ci95':[9e-8,1.2e-7]},'latency_cycles':{'median':250}},"
                            "{'type':'latency','name':'memory/pause0','level':'memory','threads':2,'readers':1,"
                            "'latency_s':{'median':3e-7}}");
    size_t count = findings_collect(&run.view, findings, FINDINGS_MAX);
    assert_contains(rows_of(findings, count, "What memory gives"),
                    "memory\t1\t10.0\t4\t100 [90, 120]\t250\ts\nmemory\t2\t15.0\t3\t–\t–\ts\n");
}

#define POOL(times, rate, cold)                                                                                        \
    "{'type':'pool','name':'t2/x" #times "','threads':2,'times':" #times ",'bytes':" #times                            \
    "000,'stated_bytes':32000000,'bytes_per_s':{'median':" #rate "},'cold':" #cold "}"

TEST(cold_is_said_to_be_cold_from_a_size_on)
{
    struct finding findings[FINDINGS_MAX];
    MADE_RUN(run, RECORDS(SMALL_RUN, POOL(1, 9, false), POOL(2, 5, false), POOL(4, 4, true), POOL(8, 4, true)));
    size_t count = findings_collect(&run.view, findings, FINDINGS_MAX);
    assert_contains(
        text_of(findings, count, "What memory gives"),
        "Buffers of 4 times the last-level cache and more read equally fast, so they are cold (32 MB are stated).");
    remake_run(&run, "{}", RECORDS(SMALL_RUN, POOL(1, 9, null), POOL(2, 5, null), POOL(4, 0, null)));
    count = findings_collect(&run.view, findings, FINDINGS_MAX);
    assert_contains(text_of(findings, count, "What memory gives"),
                    "Reading still gets slower at 2 times the last-level cache, so cold numbers may be too fast");
    remake_run(&run, "{}", SMALL_RUN);
    count = findings_collect(&run.view, findings, FINDINGS_MAX);
    assert_lacks(text_of(findings, count, "What memory gives"), "last-level");
}

TEST(up_convert_binds_beyond_the_knee)
{
    struct finding findings[FINDINGS_MAX];
    MADE_RUN(run, RECORDS(BETA(1, 10e9, 4.0, true), GAMMA("p", "envelope", 4.0, 4, 2.5, 2.4, true)));
    size_t count = findings_collect(&run.view, findings, FINDINGS_MAX);
    assert_string_equal(rows_of(findings, count, "Where the knee is"),
                        "the papers' 1-bit\tp\t4\t1.6\t2.5\tlatency\tup-converting\n");
}

TEST(knee_between_the_teams_is_said_so)
{
    struct finding findings[FINDINGS_MAX];
    MADE_RUN(run, RECORDS(BETA(1, 10e9, 7.0, true), BETA(2, 15e9, 6.0, true),
                          GAMMA("p", "envelope", 8.0, 4, 1.25, 1.25, true),
                          GAMMA("p", "envelope", 8.0, 8, 0.9, 1.25, true)));
    size_t count = findings_collect(&run.view, findings, FINDINGS_MAX);
    const char *knee = rows_of(findings, count, "Where the knee is");
    assert_contains(knee, "the papers' 2-bit, as published\tp\t4\t6.4\t1.25\tlatency\tdepends on how many cores read\n",
                    "the papers' 2-bit\tp\t8\t8.89\t0.9\tlatency\tmemory\n");
}

/* A fast cell that is not valid, a slower kernel of the family, and an ISA that only one side has change nothing. */
TEST(only_the_fastest_valid_cell_of_an_isa_is_compared)
{
    struct finding findings[FINDINGS_MAX];
    MADE_RUN(run, SMALL_RUN
             ",{'type':'gemv','name':'hasty','sequence':'mask','isa':'avx_vnni','bits':2.0,'m':64,'k':128,'threads':2,"
             "'protocol':'cold','time_s':1e-9,'roof_fraction':1.5,'residual':-0.99,'above_roof':true},"
             "{'type':'gemv','name':'wrong','sequence':'mask','isa':'avx_vnni','bits':2.0,'m':64,'k':128,'threads':2,"
             "'protocol':'cold','time_s':1e-9,'roof_fraction':0.1,'residual':-0.99,'exact':false},"
             "{'type':'gemv','name':'slow','sequence':'mask','isa':'avx_vnni','bits':2.0,'m':64,'k':128,'threads':2,"
             "'protocol':'cold','time_s':9e-6,'roof_fraction':0.2,'residual':0.1},"
             "{'type':'gemv','name':'other','sequence':'mask','isa':'avx9','bits':2.0,'m':64,'k':128,'threads':2,"
             "'protocol':'cold','time_s':1.9e-6,'roof_fraction':0.92,'residual':0.1}");
    size_t count = findings_collect(&run.view, findings, FINDINGS_MAX);
    assert_contains(rows_of(findings, count, "Where memory is the limit"), "our 2-bit\t–\t92\t");
    assert_contains(text_of(findings, count, "Where memory is the limit"),
                    "1 cell above the roof (by more than 3%) is left out");
    const char *paper = rows_of(findings, count, "Against the papers' and llama.cpp's sequences");
    assert_contains(paper, "2.00 cold (1 cell)");
    assert_lacks(paper, "avx9");
    assert_contains(rows_of(findings, count, "How well the model predicts"), "less than 2²⁰\t4\t");
}

TEST(model_is_judged_on_large_cells_apart_from_small)
{
    struct finding findings[FINDINGS_MAX];
    MADE_RUN(
        run,
        RECORDS(GEMV("big", "mask", 2.0, 4096, 4096, 1, "cold", 1e-4, 1.0, 0.9, 0.05),
                GEMV("small", "mask", 2.0, 64, 128, 1, "cold", 1e-6, 1.0, 0.5, 0.9),
                "{'type':'gemv','name':'even','isa':'a','sequence':'mask','bits':2.0,'m':8192,'k':4096,'threads':1,"
                "'protocol':'cold','time_s':1e-4,'residual':0.05,'overlap':0.75,'predicted_s':1e-4,"
                "'predicted_serial_s':1.5e-4}"));
    size_t count = findings_collect(&run.view, findings, FINDINGS_MAX);
    const char *model = rows_of(findings, count, "How well the model predicts");
    assert_contains(model, "at least 2²⁰\t2\t+5.0\t", "less than 2²⁰\t1\t+90.0\t");
    /* the cell without a serial prediction does not count */
    assert_contains(text_of(findings, count, "How well the model predicts"), "overlap by 75%, median of the 1 large");
    assert_contains(rows_of(findings, count, "Where memory is the limit"), "our 2-bit\t70\t90\t");
}

TEST(gamma_alone_says_what_is_not_known)
{
    struct finding findings[FINDINGS_MAX];
    MADE_RUN(run, GAMMA("p", "envelope", 4.0, 4, 2.5, 2.4, true));
    size_t count = findings_collect(&run.view, findings, FINDINGS_MAX);
    assert_contains(text_of(findings, count, "Where the knee is"), "this run has no memory bandwidth");
    assert_string_equal(text_of(findings, count, "Where memory is the limit"), "");
}

TEST(streams_say_whether_the_model_holds)
{
    struct finding findings[FINDINGS_MAX];
    MADE_RUN(run, RECORDS(BETA(2, 15e9, 6.0, true),
                          "{'type':'beta','name':'one','level':'memory','threads':2,'streams':1,'prefetch':'none',"
                          "'bytes_per_cycle_per_core':{'median':4.5},'bytes_per_s':{'median':9e9}}",
                          KNEE("int2.envelope.avx_vnni", "memory", 2, 0, 6.4, 4.0, 1.0, 0.4, 0.6),
                          KNEE("int2.envelope.avx_vnni", "memory", 2, 2048, 6.4, 6.0, 1.0, 0.9, 0.07),
                          KNEE("int2.envelope.avx_vnni", "L3", 2, 0, 12, 6.3, 1.9, 0.95, 0.02),
                          KNEE("int2.envelope.avx_vnni", "L1", 2, 0, 60, 6.3, 9.4, 0.8, 0.03)));
    size_t count = findings_collect(&run.view, findings, FINDINGS_MAX);
    const char *text = text_of(findings, count, "Whether the model holds");
    assert_contains(text,
                    "3 streams without software prefetch took +3.0% more time (median) than min(β, B/γ) predicts.",
                    "Half of them are within ±3.0% of it; without any overlap, half are within ±50.0%.");
    assert_string_equal(rows_of(findings, count, "Whether the model holds"),
                        "L1\t1\t\t\t\t0\nL3\t1\t95\t\t\t0\nmemory\t1\t40\t90\t+50\t1\n");
    assert_contains(
        text,
        "The worst takes +60% longer: int2.envelope.avx_vnni from memory with 2 threads, where β is 1 times "
        "its knee.",
        "Plain loads of one stream reach 75% of β with 2 threads.");

    remake_run(&run, "{}", KNEE("int2.envelope.avx_vnni", "L3", 1, 0, 12, 6.3, 1.9, 0.95, 0.02));
    count = findings_collect(&run.view, findings, FINDINGS_MAX);
    text = text_of(findings, count, "Whether the model holds");
    assert_contains(text, "None is more than 10% slower than the model.");
    assert_lacks(text, "one stream");
}

/* Names do not tell whose a sequence is, the origin does; each paper is compared for itself. */
TEST(each_paper_is_compared_for_itself)
{
    struct finding findings[FINDINGS_MAX];
    static const char row[] =
        "{'type':'gamma','name':'%s','isa':'avx2','sequence':'%s','accumulators':4,%s'bytes_per_vector':8,"
        "'gamma':{'median':%g},'usable':true}";
    static const char cell[] =
        "{'type':'gemv','name':'%s','sequence':'%s','isa':'avx2','origin':'%s','format_bits':2,'bits':2,'m':"
        "4096,'k':4096,'threads':1,'protocol':'cold','time_s':%g,'bytes_per_s':1e9,'roof_fraction':0.5}";
    static const struct {
        const char *name, *sequence, *fields, *origin;
        double gamma, time_s;
    } made[] = {{"i2.madd.avx2", "madd", "'origin':'bitnet-cpp','format_bits':2,", "bitnet-cpp", 1.0, 4e-3},
                {"v.envelope.avx2", "envelope", "'origin':'envelope','format_bits':2,", "envelope", 1.5, 3e-3},
                {"own.mask.avx2", "mask", "'origin':'kneepoint','format_bits':2,", "kneepoint", 0.5, 1e-3},
                {"no.kernel.avx2", "mask", "'origin':'kneepoint',", "kneepoint", 0.1, NAN}};
    char lines[4096] = "", text[1024];
    for (size_t i = 0; i < 4; i++) {
        snprintf(text, sizeof text, row, made[i].name, made[i].sequence, made[i].fields, made[i].gamma);
        snprintf(lines + strlen(lines), sizeof lines - strlen(lines), "%s%s", i ? "," : "", text);
        snprintf(text, sizeof text, cell, made[i].name, made[i].sequence, made[i].origin, made[i].time_s);
        if (made[i].time_s > 0)
            snprintf(lines + strlen(lines), sizeof lines - strlen(lines), ",%s", text);
    }
    MADE_RUN(run, lines);
    size_t count = findings_collect(&run.view, findings, FINDINGS_MAX);
    assert_string_equal(rows_of(findings, count, "Against the papers' and llama.cpp's sequences"),
                        "2\tavx2\tbitnet-cpp\ti2.madd\t1.00\town.mask\t0.50\t2.00\t4.00 cold (1 cell)\n"
                        "2\tavx2\tenvelope\tv.envelope\t1.50\town.mask\t0.50\t3.00\t3.00 cold (1 cell)\n");
    assert_contains(rows_of(findings, count, "Where the knee is"), "our 2-bit\town.mask.avx2\t4\t16\t");
}

#define PREFETCHING(name, sequence, time, prefetch, settings)                                                          \
    "{'type':'gemv','name':'" name "','sequence':'" sequence "','isa':'avx_vnni','bits':2.0,'m':64,'k':128,'n':1,"     \
    "'threads':1,'protocol':'cold','prefetch_bytes':" #prefetch ",'settings':'" settings "','time_s':{'median':" #time \
    "}}"

/* Two numbers of the paper's kernel: as published, and with a prefetch of ours. */
TEST(what_is_ours_in_their_prefetch_is_a_number_of_its_own)
{
    struct finding findings[FINDINGS_MAX];
    const char *title = "Against the papers' and llama.cpp's sequences";
    MADE_RUN(run, RECORDS(SMALL_RUN, PREFETCHING("int2.envelope.avx_vnni", "envelope", 3e-6, 0, "default"),
                          PREFETCHING("int2.envelope.avx_vnni", "envelope", 1.5e-6, 2048, "our prefetch"),
                          PREFETCHING("int2.mask.avx_vnni", "mask", 1e-6, 512, "default")));
    size_t count = findings_collect(&run.view, findings, FINDINGS_MAX);
    assert_contains(rows_of(findings, count, title),
                    "\t2.50 cold (2 cells) as published, 1.50 cold (1 cell) with our prefetch in theirs\n");
    remake_run(&run, "{}",
               RECORDS(SMALL_RUN, PREFETCHING("int2.envelope.avx_vnni", "envelope", 3e-6, 2048, "default"),
                       PREFETCHING("int2.mask.avx_vnni", "mask", 1e-6, 512, "default")));
    count = findings_collect(&run.view, findings, FINDINGS_MAX);
    assert_contains(rows_of(findings, count, title), "\t2.50 cold (2 cells) with our prefetch in theirs\n");
}

TEST(nothing_is_said_of_nothing)
{
    struct finding findings[FINDINGS_MAX];
    MADE_RUN(run, "{'type':'gemv','protocol':'cold'},{'type':'beta','level':'memory'},{'type':'knee'}");
    assert_int_equal(findings_collect(&run.view, findings, FINDINGS_MAX), 0);
}

TEST(capacity_is_kept)
{
    struct finding findings[2];
    MADE_RUN(run, SMALL_RUN);
    assert_int_equal(findings_collect(&run.view, findings, 2), 2);
    assert_int_equal(findings_collect(&run.view, findings, 0), 0);
}

#define HELD_OUT(side, max, overlap)                                                                                   \
    "{'type':'gemv','name':'k','origin':'kneepoint','m':" #side                                                        \
    ",'k':4096,'threads':1,'protocol':'cold','time_s':{'median':1e-5,'ci95':[9.8e-6,1.02e-5],'n':8},"                  \
    "'held_out':true,'residual':" #max ",'residual_overlap':" #overlap "}"
#define OMEGA(value)                                                                                                   \
    "{'type':'omega','name':'k','omega':{'median':" #value ",'ci95':[-1,1],'n':8,'unit':'1','grade':'chain'}}"

#define SURE(name, value, low, high)                                                                                   \
    "{'type':'omega','name':'" name "','omega':{'median':" #value ",'ci95':[" #low "," #high                           \
    "],'n':8,'unit':'1','grade':'chain'}}"

TEST(residuals_stand_beside_their_target)
{
    struct finding findings[FINDINGS_MAX];
    MADE_RUN(run, RECORDS(OMEGA(-0.25), HELD_OUT(1024, 0.5, 0.01), HELD_OUT(1025, 0.5, 0.02), HELD_OUT(1026, 0.5, 0.02),
                          HELD_OUT(1027, 0.5, -0.02), HELD_OUT(1028, 0.5, 0.03), HELD_OUT(1029, 0.5, 0.2)));
    size_t count = findings_collect(&run.view, findings, FINDINGS_MAX);
    const struct finding *found = NULL;
    for (size_t i = 0; i < count; i++)
        found = strcmp(findings[i].title, "How well the model predicts") == 0 ? &findings[i] : found;
    assert_non_null(found);
    assert_string_equal(found->rows, "at least 2²⁰\t6\t2.0\t20.0\t3%, 8%\t50.0\t50.0\t2.0, 2.0\tmissed\n");
    assert_contains(found->text, "Of our 1 kernels with at least six such cells, 1 miss the target");
    assert_lacks(found->text, "ω below 0"); /* its interval reaches beyond 0 */
    remake_run(&run, "{}",
               RECORDS(SURE("k", -0.25, -0.3, -0.2), SURE("worse", -0.5, -0.6, -0.4), SURE("fast", 1.2, 1.1, 1.3),
                       HELD_OUT(1024, 0.5, 0.01), HELD_OUT(1025, 0.5, 0.02), HELD_OUT(1026, 0.5, 0.02),
                       HELD_OUT(1027, 0.5, 0.02), HELD_OUT(1028, 0.5, 0.03), HELD_OUT(1029, 0.5, 0.2)));
    count = findings_collect(&run.view, findings, FINDINGS_MAX);
    assert_contains(
        text_of(findings, count, "How well the model predicts"),
        "2 of 3 kernels take longer than reading and computing one after the other (ω below 0), most of all "
        "worse: ",
        "kneepoint terms worse.", "1 of 3 kernels take less");
}

/* A cold cell on the reference shape, of all samples and of its two halves: seconds in units of 1e-5, percent of the roof. */
#define DEALT(name, origin, format, all, chooses, reports, share, n)                                                   \
    "{'type':'gemv','name':'" name "','origin':'" origin "','format':'" format "','format_bits':2,'bits':2,'m':4096,"  \
    "'k':4096,'threads':2,'protocol':'cold','bytes_per_s':{'median':1e9},'time_s':{'median':" #all "e-5,'n':12,"       \
    "'halves':[{'median':" #chooses "e-5,'ci95':[1,2],'n':6},{'median':" #reports "e-5,'ci95':[1,2],'n':6}]},"         \
    "'roof_fraction':{'median':0.5,'n':12,'halves':[{'median':0.5,'ci95':[0.4,0.6],'n':6},{'median':" #share           \
    ",'ci95':[0.4,0.6],'n':" #n "}]}}"

/* One record, one number: first screen, table of what to run, where memory is the limit, heat map and what is published. */
TEST(every_view_shows_one_number_for_one_cell)
{
    struct finding findings[FINDINGS_MAX];
    static struct gemv_map map;
    MADE_RUN(run,
             RECORDS(BETA(1, 10e9, 4.0, true), BETA(2, 15e9, 3.0, true),
                     DEALT("few", "envelope", "a", 4, 4, 4, 0.99, 5), DEALT("ours", "kneepoint", "b", 7, 5, 8, 0.81, 6),
                     DEALT("theirs", "envelope", "a", 7, 6, 8, 0.62, 6)));
    struct headline headlines[HEADLINES];
    headlines_of(&run.view, headlines);
    struct recommended two = recommended_of_bits(&run.view, 2);
    assert_near(headlines[HEADLINE_SHARE].number.value, 0.81, 1e-9);
    assert_near(two.share.value, 0.81, 1e-9);
    assert_near(two.published_share.value, 0.62, 1e-9);
    assert_string_equal(view_text(two.best.passed, "name"), "few");
    assert_string_equal(view_text(two.best_published.passed, "name"), "few");
    size_t count = findings_collect(&run.view, findings, FINDINGS_MAX);
    assert_string_equal(rows_of(findings, count, "Where memory is the limit"),
                        "published 2-bit\t–\t62\t62\t–\tno\nour 2-bit\t–\t81\t81\t–\tno\n");
    gemv_map_select(&run.view, &map);
    assert_int_equal(map.row_count, 2);
    for (size_t i = 0; i < map.row_count; i++)
        assert_near(gemv_map_cell(&run.view, &map, i, 0, 2).share,
                    map.rows[i].origin == BEST_OF_PUBLISHED ? 0.62 : 0.81, 1e-9);
}

RUN_TESTS(NULL, NULL)
