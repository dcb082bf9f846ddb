/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Figures of machines that platform files describe, alone and beside the host.
 */
#include <errno.h>

#include "reports/draw/figure_testing.h"

TEST(described_machines_bend_at_the_papers_knees)
{
    freed char *settings, *data;
    assert_int_equal(select_lines("envelope_4", "arl,lnl", "", &settings, &data), 0);
    assert_contains(settings, "lines = 9\n"); /* both machines have the same cores; one of them is shared as a whole */
    assert_contains(settings, "'2-bit, P cores: 6.4', '2-bit, E cores: 3.68', '1-bit, P cores: 1.67', ");
    assert_contains(data, "0 0\n6.4 6.4\n7.6 6.4\n");
    /* 8 P cores at 5.4 GHz up to 6.4 B/cycle and 16 E cores at 4.5 up to 3.678, per cycle of all: their sum, or all as the E */
    assert_contains(settings, "'2-bit, arl, weighted: 4.7', '2-bit, arl, equal: 3.45', ");
    assert_contains(data, "7.6 4.69885\n6.4 4.69885\n3.67816 3.67816\n0 0\n",
                    "7.6 3.44828\n6.4 3.44828\n3.67816 3.44828\n0 0\n", "\"lnl P 3.18\"");
    assert_lacks(data, "host");
}

TEST(the_host_stands_beside_described_machines)
{
    freed char *settings, *data;
    assert_int_equal(select_lines("envelope_4", "arl", SMALL_RUN, &settings, &data), 0);
    assert_contains(data, "3 0x1a1a1a \"host 3.00\"\n"); /* of the largest team */
    assert_contains(settings, "'host, 2-bit, ours: 16'");
}

TEST(synchronisation_costs_small_shapes_most)
{
    freed char *settings, *data;
    assert_int_equal(select_lines("envelope_5_7", "arl,lnl", "", &settings, &data), 0);
    /* 640000 bytes at 98 GiB/s take 6.08 us, and 1 us the call */
    assert_near(number_after(data, "1600×1600, 2-bit: "), 640e3 / (640e3 / (98 * 1.073741824) + 1e3), 0.06);
    assert_true(number_after(data, "1600×1600, 8-bit: ") > number_after(data, "1600×1600, 2-bit: "));
    assert_true(number_after(data, "1600×1600, 2-bit: ") > number_after(data, "1600×1600, 1-bit: "));
    assert_contains(settings, "'lnl modelled'"); /* only ARL's is stated */
    assert_contains(settings, "'arl modelled, 1.0 µs a call'");
}

TEST(amdahl_stands_beside_what_was_observed)
{
    freed char *settings, *data;
    assert_int_equal(select_lines("envelope_12_14", "arl,lnl", "", &settings, &data), 0);
    assert_contains(data, "\"1B, 2-bit: ideal 4.19\"", "\"1B, 2-bit: 4.19, the GEMVs ", "\"1B, 2-bit: observed 4.1\"",
                    "\"1.5B, 2-bit: observed 3.9\"");
    assert_lacks(data, "\"1.5B, 2-bit: ideal");  /* no share is stated for the 1.5B model */
    assert_contains(data, "\"8B, 1-bit: 5.09,"); /* the cores of LNL bind before its memory */
    assert_lacks(settings, "this host");
}

/* 16 bits at 10 tokens/s of which GEMVs are 0.8 and the head 0.1, 2 bits decoded at 50 with the head as it was, and 1 bit
 * with a head of its own. */
TEST(what_was_decoded_stands_beside_amdahl)
{
    freed char *settings, *data;
#define DECODED(format, bits, head, tokens)                                                                            \
    "{'type':'decode','name':'" format ".x.avx2','model':'falcon3-1b','format':'" format "','head_format':'" head      \
    "','bits':" #bits ",'threads':2,'tokens_per_s':" #tokens ",'alpha':0.8,'parts':[{'part':'head','share':0.1}]}"
    MADE_RUN(run, RECORDS(DECODED("bf16", 16, "bf16", 10), DECODED("int2_planes", 2, "bf16", 50),
                          DECODED("int1_planes", 1, "int1_planes", 70)));
#undef DECODED
    select_figure("envelope_12_14", &run, &settings, &data);
    assert_contains(settings, "this host, 2 threads");
    assert_contains(data, "\"1B, 16-bit: 10 tokens/s, α 0.80\"", "\"1B, 2-bit: 50 tokens/s, α 0.80\"");
    assert_contains(data, "\"1B, 2-bit: 33.33 tokens/s by Amdahl's law\""); /* 10 / (0.2 + 0.8 / 8) */
    assert_contains(data, "\"1B, 1-bit: 64 tokens/s by Amdahl's law\"");    /* 10 / (0.1 + 0.9 / 16) */
    assert_lacks(data, "1B, I2_S"); /* it was not decoded, nor can it be bounded */
}

TEST(machines_stand_on_one_row_each_with_its_letter)
{
    struct made_run one, other;
    freed char *settings, *data;
    make_run(&one, "{}", SMALL_RUN ",{'type':'machine','cpu':'One','microarchitecture':'Zen 5'}");
    make_run(&other, "{}",
             RECORDS(BETA(1, 5e9, 2.5, true), GAMMA("int1.mask.avx2", "mask", 4.0, 8, 0.5, null, true),
                     GAMMA("int2.mask.avx2", "mask", 8.0, 8, 1.0, null, true)));
    struct view runs[] = {one.view, other.view};
    one.view.runs = runs;
    one.view.run_count = 2;
    select_figure("machines_knee", &one, &settings, &data);
    assert_contains(settings, "machines = 2\n", "'A  One, Zen 5, 2 threads, run', 'B  unknown CPU, 1 thread, run'",
                    "array row_title[3] = ['2-bit, paper', '2-bit, ours', '1-bit, ours']",
                    "array line_title[2] = ['β of A: 3', 'β of B: 2.5']");
    assert_contains(data,
                    "\n16 2 1 7 29362 \"16\" \"int2.mask.avx_vnni\"\n8 2 2 5 13983232 \"8\" \"int2.mask.avx2\"\n");
    assert_contains(data, "\n8 3 2 5 13983232 \"8\" \"int1.mask.avx2\"\n"); /* the first has no 1-bit weights */
    free(settings);
    free(data);
    select_figure("machines_rates", &one, &settings, &data);
    assert_contains(settings, "panels = 2\n",
                    "['memory, 1 thread', 'memory, all threads', '2-bit, paper', '2-bit, ours', '1-bit, ours']");
    assert_contains(
        data, "\n4 1 1 7 29362 \"4\" \"s\"\n2.5 1 2 5 13983232 \"2.5\" \"s\"\n3 2 1 7 29362 \"3\" \"2 threads\"\n",
        "\n0.5 2 1 7 29362 \"0.50\" ");
    free_run(&one);
    free_run(&other);
}

TEST(unknown_machines_and_too_many_are_refused)
{
    struct reference_platforms platforms = {.count = 0};
    char why[512] = "";
    assert_int_equal(reference_platforms_add(&platforms, "arl,abacus", why, sizeof why), -ENOENT);
    assert_contains(why, "abacus");
    assert_int_equal(platforms.count, 1);
    for (size_t i = 1; i < REFERENCE_PLATFORMS_MAX; i++)
        assert_int_equal(reference_platforms_add(&platforms, "lnl", why, sizeof why), 0);
    assert_int_equal(reference_platforms_add(&platforms, "lnl", why, sizeof why), -E2BIG);
    reference_platforms_free(&platforms);
}

RUN_TESTS(NULL, NULL)
