/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "harness/cells/on_paper.h"
#include "unit_test.h"

TEST_GIVEN_BY(cycles_need_chains_that_agree, struct bench *bench, open_bench, close_bench)
{
    struct cell *cell = add_gamma(bench, 1, 1.25);
    for (size_t i = 0; i < 2 * 2; i++) { /* two pairs of eight disagree, and are off */
        cell->samples.sample[i].core_hz *= 1.5;
        cell->samples.sample[i].grade = SAMPLE_WALL;
    }
    struct graded gamma = gamma_summary(cell);
    assert_string_equal(gamma.grade, "chain");
    assert_int_equal(gamma.summary.n, 6);
    assert_int_equal(gamma.summary.rejected, 2);
    assert_near(gamma.summary.max, 1.25);
    assert_near(summary_stated_cycles(gamma), 1.25);

    cell->samples.sample[10].grade = SAMPLE_WALL; /* five are left, too few to be stated */
    gamma = gamma_summary(cell);
    assert_string_equal(gamma.grade, "wall");
    assert_int_equal(gamma.summary.n, 8);
    assert_int_equal(gamma.summary.rejected, 0);
    assert_near(summary_stated(gamma), 1.25);
    assert_true(isnan(summary_stated_cycles(gamma)));
}

/* Enough to choose by, and nothing that is stated. */
TEST_GIVEN_BY(too_few_samples_have_no_numbers, struct bench *bench, open_bench, close_bench)
{
    struct cell *cell = add_gamma(bench, 1, 1.25);
    for (size_t i = 0; i < 2 * 3; i++)
        cell->samples.sample[i].cause = SAMPLE_INTERRUPT;
    struct graded gamma = gamma_summary(cell);
    assert_string_equal(gamma.grade, "chain");
    assert_int_equal(gamma.summary.n, 5);
    assert_near(gamma.summary.median, 1.25);
    assert_true(isnan(gamma.summary.ci95[0]) && isnan(gamma.summary.ci95[1]));
    assert_true(isnan(summary_stated(gamma)) && isnan(summary_stated_cycles(gamma)));
    assert_true(isnan(gamma_best(&bench->cells, cell->sequence->name, NULL)));
    assert_int_equal(gamma_fewest_accumulators(&bench->cells, cell->sequence), 4);

    cell->samples.sample[0].cause = cell->samples.sample[1].cause = SAMPLE_KEPT;
    assert_near(summary_stated_cycles(gamma_summary(cell)), 1.25);
    assert_near(gamma_best(&bench->cells, cell->sequence->name, NULL), 1.25);
}

TEST_GIVEN_BY(counted_cycles_outrank_the_chains, struct bench *bench, open_bench, close_bench)
{
    struct cell *cell = add_gamma(bench, 1, 1.25);
    for (size_t i = 0; i < 2 * 6; i++) { /* six pairs of eight were counted, and say otherwise */
        cell->samples.sample[i].core_hz *= 2;
        cell->samples.sample[i].grade = SAMPLE_PMU;
    }
    struct graded gamma = gamma_summary(cell);
    assert_string_equal(gamma.grade, "pmu");
    assert_int_equal(gamma.summary.n, 6);
    assert_near(gamma.summary.median, 2.5);

    for (size_t i = 0; i < 2 * 6; i += 2) /* a pair is as good as its lesser half */
        cell->samples.sample[i].grade = SAMPLE_CHAIN;
    gamma = gamma_summary(cell);
    assert_string_equal(gamma.grade, "chain");
    assert_int_equal(gamma.summary.n, 8);
}

TEST_GIVEN_BY(times_do_not_need_the_chains, struct bench *bench, open_bench, close_bench)
{
    struct cell *cell = add_beta(bench, "memory", "beta/memory/t2/read.avx2.s4", 1e10, 8);
    for (size_t i = 0; i < 8; i++)
        cell->samples.sample[i].grade = SAMPLE_WALL;
    assert_string_equal(beta_bandwidth(cell).grade, "wall");
    assert_near(beta_bandwidth(cell).summary.median, 1e10);
    assert_string_equal(beta_summary(cell).grade, "wall");
    for (size_t i = 0; i < STATS_KEPT_LEAST; i++)
        cell->samples.sample[i].grade = SAMPLE_CHAIN;
    assert_string_equal(beta_summary(cell).grade, "chain");
    assert_int_equal(beta_summary(cell).summary.n, STATS_KEPT_LEAST);
}

TEST_GIVEN_BY(a_clock_that_could_not_be_timed_costs_its_sample_only, struct bench *bench, open_bench, close_bench)
{
    struct cell *cell = add_beta(bench, "memory", "beta/memory/t2/read.avx2.s4", 2e10, 8);
    for (size_t i = 0; i < 8; i++)
        cell->samples.sample[i].grade = SAMPLE_WALL;
    cell->samples.sample[2].core_hz = 0;
    struct graded beta = beta_summary(cell);
    assert_near(beta.summary.median, 10);
    assert_int_equal(beta.summary.n, 7);
    assert_int_equal(beta.summary.rejected, 1);
    assert_int_equal(beta_bandwidth(cell).summary.n, 8);
}

TEST_GIVEN_BY(counts_of_a_cell_are_of_one_repeat_and_of_the_samples_that_have_them, struct bench *bench, open_bench,
              close_bench)
{
    struct cell *cell = add_beta(bench, "memory", "beta/memory/t2/read.avx2.s4", 1e10, 8);
    cell->repeats = 4;
    for (size_t i = 0; i < 8; i++) {
        struct sample *sample = &cell->samples.sample[i];
        sample->counted = i < 7 ? COUNTER_SET(COUNTER_LLC_MISSES) : 0;
        sample->count[COUNTER_LLC_MISSES] = i < 7 ? 400 : 1e9;
        sample->cause = i ? SAMPLE_KEPT : SAMPLE_INTERRUPT;
    }
    json_auto_t *record = record_of(bench, cell);
    assert_near(field_median(record, "llc_misses"), 100);
    assert_near(field_number(json_object_get(record, "llc_misses"), "n"), 6);
    assert_near(field_number(json_object_get(record, "llc_misses"), "rejected"), 2);
    assert_null_field(record, "instructions_per_cycle");
    assert_true(strlen(field_text(record, "instructions_per_cycle_reason")) > 0);
}

TEST_GIVEN_BY(traffic_and_energy_reach_the_record_where_they_are_counted, struct bench *bench, open_bench, close_bench)
{
    struct cell *cell = add_beta(bench, "memory", "beta/memory/t2/read.avx2.s4", 1e10, 8);
    json_auto_t *record = record_of(bench, cell);
    assert_null(json_object_get(record, "dram_read_bytes"));
    assert_null(json_object_get(record, "package_energy_j"));
    json_decref(record);
    cell->samples.sample[0].counted = COUNTER_SET(COUNTER_DRAM_READ_BYTES);
    record = record_of(bench, cell);
    assert_null_field(record, "package_energy_j");
    assert_non_null(strstr(field_text(record, "package_energy_j_reason"), "no sample lasts 20 ms"));
    json_decref(record);
    for (size_t i = 0; i < 8; i++) {
        struct sample *sample = &cell->samples.sample[i];
        sample->wall_s = SAMPLER_ENERGY_LEAST_S;
        sample->counted = COUNTER_SET_MACHINE & ~COUNTER_SET(COUNTER_DRAM_WRITE_BYTES);
        sample->count[COUNTER_DRAM_READ_BYTES] = 3e6;
        sample->count[COUNTER_PACKAGE_ENERGY_J] = 0.5;
    }
    record = record_of(bench, cell);
    assert_near(field_median(record, "dram_read_bytes"), 3e6);
    assert_string_equal(field_text(json_object_get(record, "dram_read_bytes"), "unit"), "B");
    assert_near(field_median(record, "package_energy_j"), 0.5);
    assert_string_equal(field_text(json_object_get(record, "package_energy_j"), "unit"), "J");
    assert_null_field(record, "dram_write_bytes");
    assert_non_null(strstr(field_text(record, "dram_write_bytes_reason"), "type counters"));
}

TEST_GIVEN_BY(a_cell_without_samples_has_no_record, struct bench *bench, open_bench, close_bench)
{
    assert_null(summary_record(&bench->session, &bench->cells, add(bench, &cell_kind_sync, "sync/barrier/t2")));
}

RUN_TESTS(NULL, NULL)
