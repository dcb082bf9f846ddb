/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the figures of GEMMs and their table on the page select.
 */
#include <errno.h>

#include "reports/draw/figure_testing.h"
#include "reports/page/page.h"
#include "reports/select/kernels/best.h"

/* 2 GHz; a half of the samples chooses, the other is reported */
#define HALF(us) "{'median':" #us "e-6,'ci95':[" #us "e-6," #us "e-6],'n':6}"
#define GEMM(name, isa, bits, side, tokens, threads, us, halves, ops, roofs)                                           \
    "{'type':'gemm','name':'" name "','isa':'" isa "','origin':'kneepoint','bits':" #bits ",'format_bits':" #bits      \
    ",'m':" #side ",'k':" #side ",'n':" #tokens ",'threads':" #threads                                                 \
    ",'protocol':'cold','exact':true,'time_s':{'median':" #us "e-6,'ci95':[1e-6,1e-3],'min':1e-6,'mad':0,'n':12,"      \
    "'rejected':0,'unit':'s','grade':'chain'" halves "},'ops_per_cycle':{'median':" #ops ",'ci95':[1,2]},"             \
    "'ops_per_s':{'median':" #ops "e9,'ci95':[1,2]},'tokens_per_s':{'median':1e4,'ci95':[1,2]}," roofs "}"
#define ROOFS(memory, up, multiply)                                                                                    \
    "'memory_roof_ops_per_cycle':" #memory ",'up_convert_roof_ops_per_cycle':" #up                                     \
    ",'multiply_roof_ops_per_cycle':" #multiply ",'operand_roof_ops_per_cycle':null,'binds':'memory'"
#define HALVES(chooses, reports) ",'halves':[" HALF(chooses) "," HALF(reports) "]"

/** The mask kernel leads with few tokens, the panel with many. */
static const char sweep[] =
    RECORDS(GEMM("a.mask.avx2", "avx2", 2, 4096, 1, 2, 100, "", 60, ROOFS(64, 100, 400)),
            GEMM("a.panel.avx2", "avx2", 2, 4096, 1, 2, 200, "", 30, ROOFS(64, 40, 400)),
            GEMM("a.mask.avx2", "avx2", 2, 4096, 1024, 2, 9000, "", 300, ROOFS(65536, 310, 400)),
            GEMM("a.panel.avx2", "avx2", 2, 4096, 1024, 2, 8000, "", 380, ROOFS(65536, 395, 400)),
            GEMM("a.tile.amx_int8", "amx_int8", 2, 4096, 1, 2, 400, "", 15, ROOFS(64, 20, 2000)),
            GEMM("a.slow.avx2", "avx2", 2, 4096, 1024, 2, 9900, "", 200, ROOFS(65536, 210, 400)),
            GEMM("a.mask.avx2", "avx2", 2, 4096, 1024, 1, 9900, "", 200, ROOFS(65536, 210, 200)));

TEST(kernels_that_lead_somewhere_are_drawn_under_their_roofs)
{
    freed char *settings, *data;
    assert_int_equal(select_lines("gemm_knee", NULL, sweep, &settings, &data), 0);
    assert_contains(settings, "panels = 1\n", "4096x4096, 2 threads, cold", "a.mask.avx2, from N = 1024 a.panel.avx2");
    assert_contains(data,
                    "1 64 40 400 nan\n1024 65536 395 400 nan\n"); /* those of the one that leads with most tokens */
    assert_contains(data, "1 60 60 1 \"memory\" \"a.mask.avx2\"\n1024 300 300 1 \"memory\" \"a.mask.avx2\"\n",
                    "1024 380 380 1 \"memory\" \"a.panel.avx2\"\n");
    assert_contains(data, "a.tile.amx_int8"); /* tiles are shown wherever they were measured */
    assert_lacks(data, "a.slow.avx2");
}

TEST(a_kernel_on_tiles_has_a_roof_of_operands)
{
    freed char *settings, *data;
#define TILES ",'multiply_roof_ops_per_cycle':2000,'operand_roof_ops_per_cycle':1400,'binds':'multiply'"
    static const char lines[] =
        RECORDS(GEMM("a.tile.amx_int8", "amx_int8", 2, 4096, 1, 2, 100, "", 60,
                     "'memory_roof_ops_per_cycle':64,'up_convert_roof_ops_per_cycle':100" TILES),
                GEMM("a.tile.amx_int8", "amx_int8", 2, 4096, 1024, 2, 8000, "", 1100,
                     "'memory_roof_ops_per_cycle':65536,'up_convert_roof_ops_per_cycle':9000" TILES));
#undef TILES
    assert_int_equal(select_lines("gemm_knee", NULL, lines, &settings, &data), 0);
    assert_contains(data, "1 64 100 2000 1400\n1024 65536 9000 2000 1400\n");
    assert_contains(settings, "array panel_loads[1] = [1]");
    free(settings);
    free(data);
    assert_int_equal(select_lines("gemm_knee", NULL, sweep, &settings, &data), 0);
    assert_contains(settings, "array panel_loads[1] = [0]");
}

TEST(a_number_of_few_samples_is_no_point)
{
    char *settings, *data;
    static const char few[] =
        "{'type':'gemm','name':'a.mask.avx2','isa':'avx2','bits':2,'format_bits':2,'m':4096,'k':4096,'n':1024,'threads':1,"
        "'protocol':'cold','exact':true,'time_s':{'median':null,'n':5,'why':'5 kept, 6 needed'},"
        "'ops_per_cycle':{'median':null,'n':5},'ops_per_s':{'median':null,'n':5}," ROOFS(64, 100, 400) "}";
    assert_int_equal(select_lines("gemm_knee", NULL, few, &settings, &data), -ENODATA);
    assert_int_equal(select_lines("envelope_9_11", NULL, few, &settings, &data), -ENODATA);
    static const char one[] = GEMM("a.mask.avx2", "avx2", 2, 64, 1, 1, 5, "", 60, ROOFS(64, 100, 400));
    assert_int_equal(select_lines("gemm_knee", NULL, one, &settings, &data), -ENODATA); /* nor is one N a line */
    assert_int_equal(select_lines("gemm_knee", NULL, SMALL_RUN, &settings, &data), -ENODATA);
}

TEST(the_peak_is_the_highest_and_papers_are_beside)
{
    freed char *settings, *data;
    static const char lines[] =
        RECORDS(GEMM("b.dot.amx_int8", "amx_int8", 8, 4096, 1024, 2, 1000, "", 1800, ROOFS(65536, 1900, 2000)),
                GEMM("a.panel.avx2", "avx2", 2, 4096, 1024, 2, 8000, "", 380, ROOFS(65536, 395, 400)),
                GEMM("f32.dot.avx2", "avx2", 32, 4096, 1024, 2, 8000, "", 90, ROOFS(65536, 395, 9000)),
                GEMM("a.panel.avx2", "avx2", 2, 63, 1024, 2, 8, "", 1, ROOFS(65536, 395, 400)));
    assert_int_equal(select_lines("envelope_9_11", NULL, lines, &settings, &data), 0);
    assert_contains(settings, "array level_at[1] = [2]"); /* of integers: floats multiply something else */
    assert_contains(settings, "array key_title[3] = ['8-bit', '2-bit', 'measured peak']");
    assert_contains(data, "llama3-8b, 4096×4096: b.dot.amx_int8 1.8 Top/s, 90% of the peak",
                    "llama3-8b, 4096×4096: a.panel.avx2 0.38 Top/s, 19% of the peak");
    assert_lacks(data, "not known");
    assert_contains(settings, "['4096×4096', 'here, 8-bit', 'here, 2-bit', 'LNL GPU, 2-bit', 'B580, 2-bit']");
    assert_contains(data, "\"89\" \"LNL GPU, 2-bit: 89%\"");
}

/** Chosen on one half, with the time of the other: the luck of a median is in neither. */
TEST(the_fastest_has_the_numbers_that_did_not_choose_it)
{
    MADE_RUN(run, RECORDS(GEMM("a.lucky.avx2", "avx2", 2, 4096, 4, 1, 75, HALVES(90, 70), 60, ROOFS(64, 100, 400)),
                          GEMM("a.mask.avx2", "avx2", 2, 4096, 4, 1, 82, HALVES(80, 164), 60, ROOFS(64, 100, 400))));
    struct gemm_query query = gemm_cells_reference(&run.view);
    assert_true(query.m == 4096 && query.threads == 1 && query.cold);
    const json_t *fastest = best_gemm(&run.view, &query).row;
    assert_string_equal(view_text(fastest, "name"), "a.mask.avx2");
    assert_near(view_median(fastest, "time_s"), 164e-6, 1e-12);
    assert_near(view_median(fastest, "ops_per_cycle"), 30, 1e-9);
}

/** Before a wider team with another shape, such as the GEMMs that a prompt's prediction wants. */
TEST(the_reference_shape_is_shown_if_there)
{
    MADE_RUN(run, RECORDS(GEMM("a.mask.avx2", "avx2", 2, 256, 4, 2, 75, HALVES(90, 70), 60, ROOFS(64, 100, 400)),
                          GEMM("a.mask.avx2", "avx2", 2, 256, 8, 2, 75, HALVES(90, 70), 60, ROOFS(64, 100, 400)),
                          GEMM("a.mask.avx2", "avx2", 2, 4096, 4, 1, 82, HALVES(80, 164), 60, ROOFS(64, 100, 400))));
    struct gemm_query query = gemm_cells_reference(&run.view);
    assert_true(query.m == 4096 && query.threads == 1 && query.cold);
}

/** Of two teams the one that has a sweep, however wide the other is. */
TEST(a_team_with_several_numbers_of_tokens_is_shown_before_a_wider_one)
{
    MADE_RUN(run, RECORDS(GEMM("a.mask.avx2", "avx2", 2, 4096, 1024, 2, 8000, "", 380, ROOFS(65536, 395, 400)),
                          GEMM("a.mask.avx2", "avx2", 2, 4096, 4, 1, 82, "", 60, ROOFS(64, 100, 400)),
                          GEMM("a.mask.avx2", "avx2", 2, 4096, 16, 1, 300, "", 60, ROOFS(64, 100, 400))));
    assert_int_equal(gemm_cells_reference(&run.view).threads, 1);
}

TEST(the_page_has_the_fastest_of_each_width_and_number_of_tokens)
{
    static struct page page;
    size_t length;
    MADE_RUN(run, sweep);
    freed char *text = page_text(&run.view, &page, &length);
    assert_contains(text, "<h3>GEMM: several tokens at once, as in prefill</h3>",
                    "4096×4096 with 2 threads, weights from memory", "<td>a.panel.avx2</td>");
    assert_lacks(text, "a.slow.avx2");
    free(text);
    char lines[8192];
    snprintf(lines, sizeof lines, "%s,%s", sweep,
             GEMM("a.panel.avx2", "avx2", 2, 4096, 1024, 1, 16000, "", 200, ROOFS(65536, 395, 400)));
    remake_run(&run, "{}", lines);
    text = page_text(&run.view, &page, &length);
    assert_contains(text, "<td>380</td><td>1.90</td><td>380</td>"); /* as fast as 1.9 of one core */
    free(text);
    remake_run(&run, "{}", SMALL_RUN);
    text = page_text(&run.view, &page, &length);
    assert_lacks(text, "<h3>GEMM: several tokens at once");
}

/** A row of another shape by which the run is seen to have halves. */
#define HALVED_SOMEWHERE GEMM("b.mask.avx2", "avx2", 8, 64, 1, 1, 5, HALVES(5, 5), 60, ROOFS(64, 100, 400))

/** Eight samples each: enough for a median, too few to choose on one half. Cycles of the run's clock, gamma not known. */
#define FEW(name, us, ops, tokens)                                                                                     \
    "{'type':'gemm','name':'" name                                                                                     \
    "','isa':'avx2','origin':'kneepoint','bits':2,'format_bits':2,'m':4096,'k':4096,'n':" #tokens                      \
    ",'threads':1,'protocol':'cold','exact':true,'time_s':{'median':" #us                                              \
    "e-6,'ci95':[1e-6,1e-3],'min':1e-6,'mad':0,'n':8,'rejected':0,'unit':'s','grade':'wall'},"                         \
    "'ops_per_cycle':{'median':" #ops ",'grade':'wall'},'ops_per_s':{'median':" #ops                                   \
    "e9},'memory_s':30e-6,'memory_roof_ops_per_cycle':64,'up_convert_roof_ops_per_cycle':null,"                        \
    "'multiply_roof_ops_per_cycle':400,'binds':null}"

TEST(kernels_none_of_which_can_be_chosen_are_shown_and_none_is_named)
{
    static struct page page;
    freed char *settings, *data;
    size_t length;
    static const char lines[] =
        RECORDS(HALVED_SOMEWHERE, FEW("a.mask.avx2", 100, 60, 1024), FEW("a.panel.avx2", 90, 66, 1024),
                FEW("a.mask.avx2", 50, 6, 1), FEW("a.panel.avx2", 60, 5, 1));
    assert_int_equal(select_lines("gemm_knee", NULL, lines, &settings, &data), 0);
    assert_contains(settings, "not known", "array panel_up_converts[1] = [0]", "array panel_multiplies[1] = [1]");
    assert_contains(data, "1024 66 66 0 \"not known\" \"a.panel.avx2\"\n"); /* hollow */
    assert_contains(data, "1 6 6 0 \"not known\" \"a.mask.avx2\"\n");
    assert_contains(settings, "'not known'");
    free(settings);
    free(data);
    MADE_RUN(run, lines);
    freed char *text = page_text(&run.view, &page, &length);
    assert_int_equal(select_lines("envelope_9_11", NULL, lines, &settings, &data), -ENODATA); /* no bar at all */
    static const char with_another[] =
        RECORDS(GEMM("b.dot.avx2", "avx2", 8, 4096, 1024, 1, 1000, "", 300, ROOFS(65536, 310, 400)), HALVED_SOMEWHERE,
                FEW("a.mask.avx2", 100, 60, 1024), FEW("a.panel.avx2", 90, 66, 1024));
    assert_int_equal(select_lines("envelope_9_11", NULL, with_another, &settings, &data), 0);
    assert_contains(data, "\"2-bit: not known\"");
    assert_contains(settings, "array key_title[2] = ['8-bit', 'measured peak']");
    assert_contains(text, "not known: too few samples were kept to choose");
}

#define PROMPT(format, tokens, speed, more)                                                                            \
    "{'type':'prefill','name':'" format ".panel.avx2','model':'falcon3-1b','format':'" format                          \
    "','head':'bf16.tile.avx2','head_format':'bf16','threads':2,'context':" #tokens ",'tokens':" #tokens               \
    ",'tokens_per_s':" #speed more "}"

/* The fastest kernel of a width, the model's mark, and of 2,048 tokens how long a request takes: 4 s and 16 tokens at 10 a second. */
TEST(prompts_stand_beside_the_papers_gpus)
{
    char *settings, *data;
    static const char lines[] =
        RECORDS(PROMPT("int2_planes", 16, 300, ",'predicted_s':0.05"), PROMPT("int2_vnni4", 16, 200, ""),
                PROMPT("int2_planes", 2048, 512, ",'time_s':{'median':4}"), PROMPT("bf16", 16, 100, ""),
                "{'type':'decode','name':'a',"
                "'model':'falcon3-1b','format':"
                "'int2_planes','threads':2,"
                "'tokens_per_s':10}");
    assert_int_equal(select_lines("envelope_15_16", NULL, lines, &settings, &data), 0);
    assert_contains(settings, "array heading_title[1] = ['Falcon3-1B']", "'16', '2048']",
                    "'prompts here, 2 threads; below, their tokens'");
    assert_contains(data, "\"LNL GPU, 16-bit: 4.63 tokens/s\"", "\"out of memory\"", "\"B580, 2-bit: 135 tokens/s\"",
                    "\"Falcon3-1B, 16-bit, 16 tokens: 100 tokens/s, bf16.panel.avx2\"",
                    "\"Falcon3-1B, 2-bit, 16 tokens: 300 tokens/s, int2_planes.panel.avx2; 2,048 tokens and 16 in "
                    "answer take 5.6 s, 71% of it for the prompt\"",
                    "\"Falcon3-1B, 2-bit, 16 tokens: predicted 320 tokens/s\"",
                    "\"Falcon3-1B, 2-bit, 2048 tokens: 512 tokens/s, ");
    assert_lacks(data, "int2_vnni4");
    free(settings);
    free(data);
    assert_int_equal(select_lines("envelope_15_16", NULL, PROMPT("bf16", 16, null, ""), &settings, &data), -ENODATA);
    assert_int_equal(select_lines("envelope_15_16", NULL, SMALL_RUN, &settings, &data), -ENODATA);
}

RUN_TESTS(NULL, NULL)
