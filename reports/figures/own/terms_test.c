/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the figures of latencies and of where the time goes select.
 */
#include <errno.h>

#include "reports/draw/figure_testing.h"

#define CELL(name, format, origin, threads, time)                                                                      \
    "{'type':'gemv','name':'" name "','format':'" format "','origin':'" origin "','bits':2.0,'m':4096,'k':4096,"       \
    "'threads':" #threads ",'protocol':'cold','packed_bytes':4194304,'exact':true,'time_s':{'median':" #time           \
    "e-6},'shared_read_s':60e-6,'compute_s':40e-6,'start_s':0,'omega':0.5}"
#define BETAS BETA(1, 7e10, 20, true) "," BETA(2, 7e10, 10, true)

TEST(of_every_width_our_fastest_and_the_published_one_have_a_bar)
{
    freed char *settings, *data;
    static const char lines[] =
        RECORDS(BETAS, CELL("a.mask.avx2", "a", "kneepoint", 1, 50), CELL("a.mask.avx2", "a", "kneepoint", 2, 75),
                CELL("b.slow.avx2", "b", "kneepoint", 1, 40), CELL("b.slow.avx2", "b", "kneepoint", 2, 90),
                CELL("a.envelope.avx2", "a", "envelope", 1, 120), CELL("a.envelope.avx2", "a", "envelope", 2, 110));
    assert_int_equal(select_lines("where_time_goes", NULL, lines, &settings, &data), 0);
    assert_contains(settings, "bars = 2\n", "panels = 2\n");
    assert_contains(settings, "name_length = 15\n");               /* a.envelope.avx2: room for it beside the bars */
    assert_lacks(data, "b.slow.avx2");                             /* the widest team chooses */
    assert_contains(data, "1 0 50 50 60 \"a.envelope.avx2\"\n");   /* memory: 60 of 120 us */
    assert_contains(data, "1 50 100 50 60 \"a.envelope.avx2\"\n"); /* and the rest */
    assert_contains(data, "2 0 120 120 60 \"a.mask.avx2\"\n");     /* memory: 60 of 50 us */
    assert_contains(data, "2 -20 0 -20 -10 \"a.mask.avx2\"\n");    /* so that the rest is below zero */
    assert_contains(data, "\"50 µs  ω 0.50 *\"");
    assert_lacks(data, "\"not measured\"");
    free(settings);
    free(data);
    assert_int_equal(select_lines("where_time_goes", NULL, RECORDS(BETAS, CELL("a.mask.avx2", "a", "kneepoint", 2, 75)),
                                  &settings, &data),
                     0);
    assert_contains(data, "\"not measured\""); /* by the smaller team */
    free(settings);
    free(data);
    assert_int_equal(select_lines("where_time_goes", NULL, RECORDS(BETAS, CELL("a.mask.avx2", "a", "kneepoint", 1, 75)),
                                  &settings, &data),
                     0);
    assert_contains(settings, "panels = 1\n"); /* of the larger nothing is known */
}

#define HALF(us) "{'median':" #us "e-6,'ci95':[" #us "e-6," #us "e-6],'n':6}"
#define HALVED(name, time, chooses, reports)                                                                           \
    "{'type':'gemv','name':'" name "','format':'a','origin':'kneepoint','bits':2.0,'m':4096,'k':4096,'threads':1,"     \
    "'protocol':'cold','packed_bytes':4194304,'exact':true,'time_s':{'median':" #time                                  \
    "e-6,'min':1e-6,'mad':0,'ci95':[1e-6,1e-3],'n':12,'rejected':0,'unit':'s','grade':'chain','halves':[" HALF(        \
        chooses) "," HALF(reports) "]},'shared_read_s':60e-6,'compute_s':40e-6,'start_s':0}"

/* Chosen on one half, with the time of the other: the luck of a median is in neither. */
TEST(the_fastest_has_the_time_that_did_not_choose_it)
{
    freed char *settings, *data;
    static const char lines[] =
        RECORDS(BETA(1, 7e10, 20, true), HALVED("a.lucky.avx2", 75, 90, 70), HALVED("a.mask.avx2", 82, 80, 100));
    assert_int_equal(select_lines("where_time_goes", NULL, lines, &settings, &data), 0);
    assert_lacks(data, "a.lucky.avx2");
    assert_contains(data, "1 0 60 60 60 \"a.mask.avx2\"\n");
}

TEST(without_a_reference_cell_nothing_is_drawn)
{
    char *settings, *data;
    assert_int_equal(select_lines("where_time_goes", NULL, SMALL_RUN, &settings, &data), -ENODATA);
}

#define LATENCY(name, level, readers, ns, load)                                                                        \
    "{'type':'latency','name':'" name "','level':'" level "','threads':2,'readers':" #readers ",'pause':8,"            \
    "'latency_s':{'median':" #ns "e-9,'ci95':[1e-9,2e-7]},'latency_cycles':{'median':300},'load_bytes_per_s':" load    \
    "}"

TEST(levels_have_bars_and_each_team_a_curve_from_idle_on)
{
    freed char *settings, *data;
    static const char lines[] =
        RECORDS(LATENCY("memory/idle", "memory", 0, 100, "null"), LATENCY("L1/idle", "L1", 0, 1.5, "null"),
                LATENCY("memory/pause8", "memory", 1, 130, "{'median':2e10}"),
                LATENCY("memory/pause64", "memory", 1, 105, "{'median':5e9}"),
                LATENCY("memory/pause9", "memory", 3, 140, "{'median':3e10}"));
    assert_int_equal(select_lines("latency", NULL, lines, &settings, &data), 0);
    assert_contains(settings, "bars = 2\n", "curves = 2\n");
    assert_contains(data, "1 1.5 1 200 300 \"L1\" \"1.5 ns, 300 cycles\"\n", "2 100 1 200 300 \"memory\"",
                    "0 100 1 200 -1\n5 105 1 200 8\n20 130 1 200 8\n", "0 100 1 200 -1\n30 140 1 200 8\n");
}

/* Too few samples for a number: null in the record. */
TEST(a_latency_that_is_not_known_has_no_bar)
{
    char *settings, *data;
    assert_int_equal(select_lines("latency", NULL,
                                  "{'type':'latency','name':'L1/idle','level':'L1','threads':1,'readers':0,"
                                  "'latency_s':{'median':null,'n':3}}",
                                  &settings, &data),
                     -ENODATA);
}

#define TOKEN(name, context, rate, predicted, share)                                                                   \
    "{'type':'decode','name':'" name "','model':'paper-1b','head':'bf16.dot','threads':2,'context':" #context          \
    ",'tokens_per_s':{'median':" #rate "},'predicted_s':" #predicted                                                   \
    ",'parts':[{'part':'o','share':{'median':0.5}},{'part':'attention','share':{'median':" #share "}}]}"

#define CACHED(name, cache, context, rate)                                                                             \
    "{'type':'decode','name':'" name "','model':'paper-1b','head':'bf16.dot','threads':2,'cache':'" cache              \
    "','context':" #context ",'tokens_per_s':{'median':" #rate "}}"

TEST(kernels_with_several_contexts_have_a_curve)
{
    char *settings, *data;
    static const char lines[] =
        RECORDS(TOKEN("a", 2048, 19, 0.05, 0.25), TOKEN("b", 512, 9, 0.1, 0.01), TOKEN("a", 512, 20, 0.04, 0.125),
                TOKEN("c", 512, 9, 0.1, 0.01), TOKEN("c", 8192, null, 0.1, 0.01));
    assert_int_equal(select_lines("context", NULL, lines, &settings, &data), 0);
    assert_contains(settings, "curves = 1\n", "x_min = 512\nx_max = 2048\n", "array curve_title[1] = ['a, 2 threads']");
    assert_contains(data, "512 20 25 12.5\n2048 19 20 25\n");
    free(settings);
    free(data);
    assert_int_equal(select_lines("context", NULL, TOKEN("a", 512, 20, 0.04, 0.1), &settings, &data), -ENODATA);
    assert_int_equal(select_lines("context", NULL,
                                  RECORDS(TOKEN("a", 512, 20, 0.04, 0.1), CACHED("a", "q8_0", 512, 21),
                                          CACHED("a", "q8_0", 8192, 18), CACHED("a", "q4_0", 8192, 19)),
                                  &settings, &data),
                     0);
    assert_contains(settings, "curves = 1\n", "array curve_title[1] = ['a, 2 threads']");
    assert_contains(data, "keys and values in q8_0", "8192 18 ");
    free(settings);
    free(data);
    assert_int_equal(select_lines("context", NULL,
                                  RECORDS(CACHED("a", "q8_0", 512, 21), CACHED("a", "q8_0", 8192, 18),
                                          TOKEN("a", 512, 20, 0.04, 0.1), TOKEN("a", 8192, 10, 0.04, 0.1)),
                                  &settings, &data),
                     0);
    assert_contains(settings, "curves = 2\n",
                    "array curve_title[2] = ['a, bf16 cache, 2 threads', 'a, q8_0 cache, 2 threads']");
    free(settings);
    free(data);
}

#define ENGINE(name, prompt, memory, beyond, rest)                                                                     \
    "{'type':'engine','name':'" name "','model':'a.gguf','threads':2,'context':16,'n_prompt':" #prompt                 \
    ",'time_s':0.04,'pass_s':0.03,'parts_s':{'memory':" #memory ",'kernels_beyond':" #beyond                           \
    ",'everything_else':" #rest "},'pass_parts_s':{'memory':0.02,'kernels_beyond':0.002,'everything_else':0.008}}"

TEST(a_token_of_an_engine_is_stacked_above_ours)
{
    char *settings, *data;
    static const char lines[] =
        RECORDS(ENGINE("tg32/t2 -rtr 1", 0, 0.02, 0.007, 0.013), ENGINE("tg32/t2", 0, 0.02, null, 0.02),
                ENGINE("pp16/t2", 16, 0.02, 0.007, 0.013), ENGINE("tg8/t2", 0, null, null, null));
    assert_int_equal(select_lines("engine_token", NULL, lines, &settings, &data), 0);
    assert_contains(settings, "bars = 4\n", "longest = 40\n");
    assert_contains(
        data,
        "# memory: place, from, to, bar\n1 0 20 \"tg32/t2 -rtr 1, engine\"\n2 0 20 \"tg32/t2 -rtr 1, our pass\"\n",
        "# kernels beyond it: place, from, to, bar\n1 20 27 ", "\n2 20 22 ",
        "# all beyond it: place, from, to, bar\n1 40 40 ", "\n3 20 40 \"tg32/t2, engine\"\n",
        "\n4 30 33.3333 \"tg32/t2, our pass\"\n");
    free(settings);
    free(data);
    assert_int_equal(select_lines("engine_token", NULL, ENGINE("pp16/t2", 16, 0.02, 0.007, 0.013), &settings, &data),
                     -ENODATA);
}

RUN_TESTS(NULL, NULL)
