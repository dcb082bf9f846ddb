/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The figures of the mixed 2/4/16-bit family.
 */

#include "reports/draw/figure_testing.h"
#include "reports/select/papers/mixed.h"
#include "reports/select/tokens/decoded.h"

/* A cold GEMV whose time may be null, and a gamma. */
#define CELL(format, sequence, isa, m, k, threads, bytes, time)                                                        \
    "{'type':'gemv','name':'" format "." sequence "." isa "','format':'" format "','sequence':'" sequence              \
    "','origin':'kneepoint','isa':'" isa "','format_bits':16,'bits':16,'m':" #m ",'k':" #k                             \
    ",'n':1,'threads':" #threads ",'protocol':'cold','exact':true,'packed_bytes':" #bytes ",'time_s':{'median':" #time \
    "},'bytes_per_s':{'median':1e9}}"
#define TIMED(format, sequence, threads, bytes, time) CELL(format, sequence, "avx2", 4096, 4096, threads, bytes, time)
#define GAMMA_OF(sequence, isa, gamma)                                                                                 \
    "{'type':'gamma','name':'mixed24." sequence "." isa "','format':'mixed24','sequence':'" sequence "','isa':'" isa   \
    "','accumulators':4,'usable':true,'best':true,'bytes_per_vector':11.375,'gamma':{'median':" #gamma "}}"
#define STACK(method, share, outliers, spread, error)                                                                  \
    "{'type':'mixed','name':'mixed/stack/" method "/" #share "/" #outliers "/" #spread                                 \
    "','weights':'stack','method':'" method "','four_bit':" #share ",'outliers':" #outliers                            \
    ",'error_feedback':false,'bits':2.85,'output_error':" #error ",'spread':" #spread "}"

TEST(outliers_keep_a_share_of_the_speed)
{
    freed char *settings, *data;
    select_records("mixed_6",
                   RECORDS(TIMED("mixed24", "lanes", 2, 1000, 1e-4),
                           TIMED("mixed24", "buffered", 2, 1000, 1e-5), /* another order, which is no base */
                           TIMED("mixed24_o05", "outliers_fused", 2, 1250, 1.25e-4),
                           TIMED("mixed24_o05", "outliers_after", 2, 1250, 2e-4),
                           TIMED("mixed24_o15", "outliers_after", 2, 2000, 4e-4),
                           TIMED("mixed24_o30", "outliers_fused", 2, 2000, null)),
                   &settings, &data);
    assert_contains(settings, "panels = 2\n", "'this host, 2 threads', 'this host, 1 thread'");
    assert_contains(
        data, "\n0 1 nan nan 100 \"mixed24.lanes.avx2\"\n0.5 0.8 nan nan 125 \"mixed24_o05.outliers_fused.avx2\"\n\n",
        "\n0.5 0.5 nan nan 200 ", "\n1.5 0.25 nan nan 400 ", "\n0 1\n0.5 0.8\n1.5 0.5\n",
        "# the paper: outliers in percent, share of speed kept\n0.5 0.8\n1.5 0.7\n");
}

TEST(orders_are_compared_at_the_same_length_of_registers)
{
    freed char *settings, *data;
    select_records("mixed_8",
                   RECORDS(GAMMA_OF("buffered", "avx512", 4.5), GAMMA_OF("fused", "avx512", 3),
                           GAMMA_OF("overlapped", "avx512", 2.25), GAMMA_OF("lanes", "avx512_vnni", 0.9),
                           GAMMA_OF("fused", "avx2", 6), GAMMA_OF("lanes", "avx2", null),
                           TIMED("mixed24", "buffered", 1, 1000, 4e-4), TIMED("mixed24", "fused", 1, 1000, 2e-4)),
                   &settings, &data);
    assert_contains(settings, "array tic_title[4] = ['256 bits', '512 bits', '256 bits', '512 bits']",
                    "array level_at[2] = [3.92, 3.92]");
    assert_contains(data, "\n7 1.5 1.5 1.5 0xe69f00 1 0 0 \"3.00\" ", "\n8 2 2 2 0x56b4e9 1 0 0 \"2.25\" ",
                    "\n9 5 5 5 0x0072b2 1 0 0 \"0.90\" ");
    assert_contains(
        data, "\n2 2 2 2 0xe69f00 1 0 0 \"200\" "); /* from memory, of 256 bits; in registers these have no base */
    assert_lacks(data, "\"6.00\"");
}

/* In the panel of GEMVs; of a device no gamma is in cycles. */
TEST(orders_and_formats_of_a_device)
{
    freed char *settings, *data, *shapes, *bars;
    const char *const lines = RECORDS(GAMMA_OF("buffered", "avx512", 4.5), GAMMA_OF("fused", "avx512", 3),
                                      TIMED("mixed24", "buffered", 1, 1000, 4e-4), TIMED("f16", "dot", 2, 1000, 8e-4),
                                      TIMED("mixed24", "lanes", 2, 1000, 2e-4),
                                      ON_DEVICE("gemv", "mixed24.buffered", 4096, 4096, 0, 6e-3, 1e9),
                                      ON_DEVICE("gemv", "mixed24.overlapped", 4096, 4096, 0, 3e-3, 2e9),
                                      ON_DEVICE("gemv", "f16.rows", 4096, 4096, 0, 9e-3, 3e9));
    select_records("mixed_8", lines, &settings, &data);
    assert_contains(settings, "'512 bits', 'EPYC|a CPU, no GPU']");
    assert_contains(
        data,
        "in one pass, a step ahead (overlapped): 2 times as fast, 3000 µs, opencl:0/mixed24.overlapped.4096x4096x0");
    select_records("mixed_9", lines, &shapes, &bars);
    assert_contains(shapes, "'EPYC (a CPU)']");
    assert_contains(bars, "2 and 4 bits, llama2-7b 4096×4096: 3 times as fast as f16, 3000 us, mixed24.overlapped");
}

TEST(shapes_of_the_models_stand_by_f16)
{
    freed char *settings, *data;
    select_records("mixed_9",
                   RECORDS(TIMED("f16", "dot", 2, 1000, 8e-4), TIMED("q4_0_m16", "offset", 2, 1000, 4e-4),
                           TIMED("mixed24", "lanes", 2, 1000, 2e-4), TIMED("mixed24", "fused", 2, 1000, 1e-4),
                           TIMED("mixed24_o02", "outliers_fused", 2, 1000, null),
                           CELL("mixed24", "lanes", "avx2", 11008, 4096, 2, 1000, 1e-3)),
                   &settings, &data);
    /* 4096x4096 is of three models and stands under the first; 11008x4096 is of one, where no f16 was measured */
    assert_contains(settings, "tics = 2\n", "['llama2-7b']");
    assert_contains(data,
                    "1 2 2 2 0xe69f00 1 0 0 \"\" \"Q4_0, groups of 32, llama2-7b 4096×4096: 2 times as fast as f16, "
                    "400 us, 1 GB/s, q4_0_m16.offset.avx2\"\n",
                    "\n2 4 4 4 0x56b4e9 1 0 0 \"\" \"2 and 4 bits, llama2-7b 4096×4096: 4 times as fast as f16, "
                    "200 us, 1 GB/s, mixed24.lanes.avx2\"\n");
    assert_lacks(data, "11008×4096:", "outliers_fused");
}

#define LAYERS(format, sequence, a, b, c)                                                                              \
    RECORDS(CELL(format, sequence, "avx2", 4096, 4096, 2, 1000, a),                                                    \
            CELL(format, sequence, "avx2", 11008, 4096, 2, 1000, b),                                                   \
            CELL(format, sequence, "avx2", 4096, 11008, 2, 1000, c))

TEST(table_3_has_bounds_here_and_costs_of_the_paper)
{
    freed char *settings, *data;
    select_records(
        "mixed_t3",
        RECORDS(
            LAYERS("f16", "dot", 1e-3, 1e-3, 1e-3), CELL("f16", "dot", "avx2", 32000, 4096, 2, 1000, 26e-3),
            LAYERS("mixed24_o02", "outliers_fused", 1e-4, 1e-4, 1e-4),
            "{'type':'counters','name':'perf','quantities':{'package_energy_j':{'grade':'unavailable','cause':'no power counters in this guest'}}}"),
        &settings, &data);
    /* 224 matrices and the head; the head is of f16 in both */
    assert_contains(data, "f16, llama2-7b: at most 4 tokens/s, 100% of the bytes measured",
                    "outliers, llama2-7b: at most 20.66 tokens/s, 100% of the bytes measured",
                    "outliers, llama2-7b: 5.17 times as fast as f16", "\"llama2-7b: 1.74 times as fast as PyTorch\"");
    /* as stated, and recomputed by roofline/cost.h */
    assert_contains(data, "\"llama2-7b: 1.44 times less, as stated\"", "\"llama2-7b: 1.446 times less, recomputed\"",
                    "\"llama2-7b: 1.16 times less, as stated\"", "\"llama2-7b: 1.155 times less, recomputed\"",
                    "\"llama2-7b: 1.601 times less, by the token\"", "\"llama3-8b-2080: 2.61 times less, as stated\"",
                    "\"llama3-8b-2080: 2.481 times less, recomputed\"");
    assert_contains(settings, "array heading_title[1] = ['J/token: none, no power counters in this guest']\n");
}

#define DECODED(format, sequence, joules)                                                                                        \
    "{'type':'decode','name':'" format "','model':'llama2-7b','format':'" format "','sequence':'" sequence                       \
    "','origin':'kneepoint','head_format':'f16','threads':2,'context':64,'tokens_per_s':{'median':5},'joules_per_token':" joules \
    "}"

TEST(joules_are_those_of_a_decoded_token)
{
    const struct token_kernel *f16 = &mixed_columns[MIXED_F16].kernel, *mixed = &mixed_columns[MIXED_OUTLIERS].kernel;
    MADE_RUN(run,
             RECORDS(DECODED("f16", "dot", "{'median':12.5}"),
                     DECODED("mixed24_o02", "outliers_fused", "null,'joules_per_token_reason':'no sample of energy'")));
    assert_near(joules_of_token(&run.view, "llama2-7b", f16, 2), 12.5, 1e-9);
    assert_true(isnan(joules_of_token(&run.view, "llama2-7b", f16, 1)));
    assert_true(isnan(joules_of_token(&run.view, "llama2-7b", mixed, 2)));
    assert_string_equal(joules_missing(&run.view, "llama2-7b", mixed, 2), "no sample of energy");
    assert_string_equal(joules_missing(&run.view, "llama2-7b", mixed, 1), "no token was decoded with these weights");
    remake_run(&run, "{}", DECODED("mixed24_o02", "outliers_fused", "{'median':null,'n':5,'why':'5 kept, 6 needed'}"));
    assert_string_equal(joules_missing(&run.view, "llama2-7b", mixed, 2), "5 kept, 6 needed");
}

TEST(table_4_compares_methods_at_equal_shares)
{
    freed char *settings, *data;
    select_records("mixed_t4",
                   RECORDS(STACK("within", 0.25, 0.0, 0.5, 0.09), STACK("first_layers", 0.25, 0.0, 0.5, 0.12),
                           STACK("within", 0.25, 0.005, 0.5, 0.01), STACK("within", 0.1, 0.0, 0.0, null)),
                   &settings, &data);
    assert_contains(settings, "['unequal|by 0', 'unequal|by 0.5', '10%%|in 4 bits', '25%%|in 4 bits']");
    assert_contains(settings, "panels = 2\n"); /* of 10% nothing was measured */
    assert_contains(data, "groups of columns, in each layer, unequal by 0.5: error 0.09 at 2.85 bits",
                    "whole layers, the first, unequal by 0.5: error 0.12 at 2.85 bits",
                    "\n1 9.32 9.32 9.32 0x7f7f7f 1 0 0 \"9.32\" \"the paper, whole layers: perplexity 9.32\"\n2 7.13 ",
                    "\n4 7.13 7.13 7.13 0x7f7f7f 1 0 0 \"7.13\" \"the paper, whole layers: perplexity 7.13\"\n5 6.62 ");
}

#define RANGES(weights, variant, columns)                                                                              \
    "{'type':'mixed','name':'mixed/" weights "/within/" variant "','weights':'" weights                                \
    "','ranges':[{'share':0.5,'rows':1,'columns':1},{'share':0.9,'rows':1.5,'columns':" #columns "}]}"

TEST(ranges_stand_once_for_each_matrix)
{
    freed char *settings, *data;
    select_records("mixed_4",
                   RECORDS(STACK("within", 0.25, 0.0, 0, 0.1), RANGES("student", "0/0", 1.25),
                           RANGES("student", "1/0", 7), RANGES("of/a/file.npy", "0/0", 2.5),
                           "{'type':'mixed','name':'mixed/zeros/within/0/0','weights':'zeros','ranges':null}"),
                   &settings, &data);
    assert_contains(settings, "panels = 2\n", "['student', 'file.npy']");
    assert_contains(
        data, "\n4 1.5 1.5 1.5 0x56b4e9 1 0 0 \"\" \"student, 16 weights of a row: 90% of the groups have at most 1.5 ",
        "\n5 1.25 1.25 1.25 0x0072b2 1 0 0 ", "\n5 2.5 2.5 2.5 0x0072b2 1 0 0 ");
    assert_lacks(data, "\n5 7 ");
}

#define ATTENDED(format, sequence, context, seconds, share)                                                            \
    "{'type':'decode','name':'" format "." sequence ".avx2/" #context "','model':'llama2-7b','format':'" format        \
    "','sequence':'" sequence "','origin':'kneepoint','head_format':'f16','threads':2,'context':" #context             \
    ",'tokens_per_s':{'median':1},'time_s':{'median':" #seconds ",'ci95':[" #seconds "," #seconds                      \
    "]},'parts':[{'part':'attention','share':{'median':" #share "}}]}"

TEST(a_faster_attention_is_bounded_by_its_share)
{
    freed char *settings, *data;
    select_records("mixed_10",
                   RECORDS(ATTENDED("f16", "dot", 4096, 1.2, 0.2), ATTENDED("f16", "dot", 512, 1, 0.05),
                           ATTENDED("mixed24_o02", "outliers_fused", 4096, 0.4, 0.5),
                           ATTENDED("mixed24_o02", "outliers_after", 512, 0.1, 0.5), /* another sequence */
                           ATTENDED("mixed24_o02", "outliers_fused", 2048, 0.3, 0.4)),
                   &settings, &data);
    assert_contains(settings, "['llama2-7b']", "tics = 1\n");
    assert_contains(data, "\n1 1.25 1.25 1.25 0x7f7f7f 0.15 0 0 ", "\n2 3 3 3 0x0072b2 1 0 0 ",
                    "\n3 6 6 6 0x0072b2 0.15 0 0 ",
                    "4096 positions: at most 6 times as fast as f16, 50.0% of its pass is attention");
}

TEST(what_is_missing_names_the_command_that_measures_it)
{
    static const char *const figures[] = {"mixed_6", "mixed_8", "mixed_9", "mixed_t3", "mixed_t4", "mixed_4"};
    MADE_RUN(run, RECORDS(SMALL_RUN, TIMED("mixed24", "lanes", 2, 1000, null), STACK("within", 0.25, 0.0, 0, null)));
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        assert_missing(figures[i], &run.view, i < 4 ? "kneepoint gemv --cold " : "kneepoint quantize --mixed ");
    assert_missing_of("mixed_10", ATTENDED("f16", "dot", 512, 1, 0.05), "kneepoint decode --model=llama2-7b ");
}

RUN_TESTS(NULL, NULL)
