/* SPDX-License-Identifier: BSD-3-Clause */

#include "harness/cells/cell/roof_paired.h"
#include "harness/cells/on_paper.h"
#include "platforms/clock/quiet.h"
#include "unit_test.h"

TEST_GIVEN_BY(gemv_record_has_the_fields_of_the_interface, struct bench *bench, open_bench, close_bench)
{
    struct cell *cell = add_gemv(bench, true, 20e-6, 2e10);
    strcpy(gemv_cell(cell)->models, "llama3-8b,falcon3-1b");
    strcpy(gemv_cell(cell)->roles, "q,o");
    json_auto_t *record = record_of(bench, cell);
    static const char *const fields[] = {"type",
                                         "name",
                                         "format",
                                         "isa",
                                         "m",
                                         "k",
                                         "n",
                                         "threads",
                                         "protocol",
                                         "time_s",
                                         "bytes_per_s",
                                         "ops_per_cycle",
                                         "roof_fraction",
                                         "predicted_s",
                                         "residual",
                                         "exact",
                                         "sequence",
                                         "bits",
                                         "models",
                                         "roles",
                                         "level",
                                         "packed_bytes",
                                         "bytes_per_cycle_per_core",
                                         "predicted_serial_s",
                                         "predicted_overlap_s",
                                         "residual_overlap",
                                         "held_out",
                                         "omega",
                                         "shared_read_s",
                                         "core_read_s",
                                         "compute_s",
                                         "start_s",
                                         "overlap",
                                         "binds",
                                         "gamma_used",
                                         "above_roof",
                                         NULL};
    assert_fields(record, fields);
    assert_string_equal(field_text(record, "type"), "gemv");
    assert_string_equal(field_text(record, "protocol"), "cold");
    assert_string_equal(field_text(record, "level"), "memory");
    assert_near(field_number(record, "packed_bytes"), 262144);
    assert_near(field_number(record, "bits"), 2);
    assert_near(field_median(record, "bytes_per_s"), 262144 / 20e-6);
    assert_near(field_median(record, "bytes_per_cycle_per_core"), 262144 / 20e-6 / CLOCK_HZ / 2);
    assert_near(field_median(record, "ops_per_cycle"), 2.0 * 1024 * 1024 / 20e-6 / CLOCK_HZ / 2);
    assert_near(field_number(record, "n"), 1);
    const json_t *models = json_object_get(record, "models");
    assert_int_equal(json_array_size(models), 2);
    assert_string_equal(json_string_value(json_array_get(models, 1)), "falcon3-1b");
}

TEST_GIVEN_BY(a_roof_fraction_compares_neighbours_in_time, struct bench *bench, open_bench, close_bench)
{
    struct cell *cell = add_gemv(bench, true, 20e-6, 2e10); /* 13.1 of 20 GB/s */
    double fraction = 262144 / 20e-6 / 2e10;
    /* half of the time the memory gives half: both sides see it, so the fraction stays */
    for (size_t i = 0; i < 8; i += 2) {
        cell->samples.sample[i].wall_s *= 2;
        cell->roof.sample[i].wall_s *= 2;
    }
    struct graded measured = product_roof_fraction(cell);
    assert_near(measured.summary.min, fraction);
    assert_near(measured.summary.max, fraction);
    /* either half rejected rejects the pair */
    cell->roof.sample[0].cause = SAMPLE_INTERRUPT;
    cell->samples.sample[1].cause = SAMPLE_INTERRUPT;
    assert_int_equal(product_roof_fraction(cell).summary.n, 6);
    assert_int_equal(product_roof_fraction(cell).summary.rejected, 2);
    assert_int_equal(roof_paired_bandwidth(cell).summary.n, 7);
}

/** Half of a cell's roof samples by stream 7 at one rate, half by stream 9 at another. */
static void share_roof(struct cell *cell, double rate7, double rate9)
{
    for (size_t i = 0; i < cell->roof.count; i++) {
        cell->roof.sample[i].stream = i % 2 ? 9 : 7;
        cell->roof.sample[i].wall_s = (4 << 20) / (i % 2 ? rate9 : rate7);
    }
}

TEST_GIVEN_BY(the_roof_is_the_stream_that_is_fastest_over_all_cells, struct bench *bench, open_bench, close_bench)
{
    struct cell *odd = add_gemv(bench, true, 20e-6, 20e9);
    struct cell *usual = add_gemv(bench, true, 20e-6, 20e9), *another = add_gemv(bench, true, 20e-6, 20e9);
    share_roof(odd, 10e9, 15e9); /* stream 9 wins here, but not over all */
    share_roof(usual, 20e9, 16e9);
    share_roof(another, 20e9, 16e9);
    struct cell *other_team = add_gemv(bench, true, 20e-6, 20e9);
    other_team->threads = 1;
    share_roof(other_team, 1e9, 50e9);
    roof_paired_choose(&bench->cells, &cell_kind_gemv, 2);
    assert_int_equal(odd->roof_stream, 7);
    assert_int_equal(usual->roof_stream, 7);
    assert_int_equal(other_team->roof_stream, 0);
    assert_int_equal(roof_paired_bandwidth(usual).summary.n, 4);
    assert_near(roof_paired_bandwidth(usual).summary.median, 20e9);
    assert_near(roof_paired_bandwidth(odd).summary.median, 10e9);
    assert_near(product_roof_fraction(usual).summary.median, 262144 / 20e-6 / 20e9);

    /* rejected samples have no say */
    for (size_t i = 0; i < usual->roof.count; i += 2)
        usual->roof.sample[i].cause = another->roof.sample[i].cause = SAMPLE_CLOCK_DRIFT;
    roof_paired_choose(&bench->cells, &cell_kind_gemv, 2);
    assert_int_equal(usual->roof_stream, 9);
    assert_near(roof_paired_bandwidth(usual).summary.median, 16e9);
}

/** In a run of many processes there may be any number of streams. */
TEST_GIVEN_BY(a_fourth_stream_can_be_the_roof, struct bench *bench, open_bench, close_bench)
{
    struct cell *cell = add_gemv(bench, true, 20e-6, 20e9);
    for (size_t i = 0; i < cell->roof.count; i++) {
        cell->roof.sample[i].stream = (unsigned)(100 - i / 2); /* 100, 99, 98, 97: the last is the fastest */
        cell->roof.sample[i].wall_s = (4 << 20) / (10e9 + 1e9 * (double)(i / 2));
    }
    assert_int_equal(cell->roof.count, 8);
    roof_paired_choose(&bench->cells, &cell_kind_gemv, 2);
    assert_int_equal(cell->roof_stream, 97);
    assert_int_equal(roof_paired_bandwidth(cell).summary.n, 2);
    assert_near(roof_paired_bandwidth(cell).summary.median, 13e9);
}

TEST_GIVEN_BY(above_the_roof_is_flagged, struct bench *bench, open_bench, close_bench)
{
    double time_s = 262144 / 2e10;
    json_auto_t *record = record_of(bench, add_gemv(bench, true, time_s / 1.02, 2e10));
    assert_flag(record, "above_roof", false);
    json_decref(record);
    record = record_of(bench, add_gemv(bench, true, time_s / 1.04, 2e10));
    assert_flag(record, "above_roof", true);
}

TEST_GIVEN_BY(the_model_is_the_slower_side_and_the_barrier, struct bench *bench, open_bench, close_bench)
{
    add_model_parts(bench, 0.5, 1e-6);
    add_beta(bench, "memory", "beta/memory/t2/read.avx2.s4", 2e10, 8);
    /* memory 262144 / 20 GB/s = 13.1072 us, computing 32768 * 0.5 / 2 cores = 8.192 us */
    double memory_s = 262144 / 2e10, compute_s = 32768 * 0.5 / 2e9;
    struct cell *cell = add_gemv(bench, true, 16e-6, 1.5e10); /* the roof beside the cell is no part of it */
    json_auto_t *record = record_of(bench, cell);
    assert_near(field_number(record, "predicted_s"), memory_s + 1e-6);
    assert_near(field_number(record, "predicted_serial_s"), memory_s + compute_s + 1e-6);
    assert_near(field_number(record, "residual"), 16e-6 / (memory_s + 1e-6) - 1);
    assert_near(field_number(record, "overlap"), (memory_s + compute_s - 15e-6) / compute_s);
    assert_string_equal(field_text(record, "binds"), "memory");
    assert_string_equal(field_text(record, "gamma_used"), "int2_test.paper.avx2@4");
    assert_near(field_number(record, "gamma"), 0.5);
}

/* Shares of the matrix are equal, so the slower kind of core is waited for. */
TEST_GIVEN_BY(the_slowest_kind_of_core_in_the_team_computes_longest, struct bench *bench, open_bench, close_bench)
{
    add_model_parts(bench, 0.5, 1e-6);
    add_beta(bench, "memory", "beta/memory/t2/read.avx2.s4", 2e10, 8);
    add_gamma(bench, 1, 2.5)->member = 1;
    double memory_s = 262144 / 2e10;
    struct cell *cell = add_gemv(bench, true, 50e-6, 2e10);
    json_auto_t *record = record_of(bench, cell);
    assert_near(field_number(record, "predicted_s"), 32768 * 2.5 / 2e9 + 1e-6);
    assert_near(field_number(record, "predicted_serial_s"), 32768 * 2.5 / 2e9 + memory_s + 1e-6);
    json_decref(record);
    add_gamma(bench, 1, 3)->member = 2; /* of no team of two */
    record = record_of(bench, cell);
    assert_near(field_number(record, "predicted_s"), 32768 * 2.5 / 2e9 + 1e-6);
}

TEST_GIVEN_BY(each_side_can_bind, struct bench *bench, open_bench, close_bench)
{
    add_model_parts(bench, 2, 1e-6); /* 32.8 us of computing */
    add_beta(bench, "memory", "beta/memory/t2/read.avx2.s4", 2e10, 8);
    json_auto_t *record = record_of(bench, add_gemv(bench, true, 40e-6, 2e10));
    assert_string_equal(field_text(record, "binds"), "up-convert");
    json_decref(record);
    give_many(&bench->cells.cell[1].samples, kept_sample(100 * 50e-6, CLOCK_HZ), 80); /* a barrier of 50 us */
    record = record_of(bench, add_gemv(bench, true, 80e-6, 2e10));
    assert_string_equal(field_text(record, "binds"), "synchronisation");
}

TEST_GIVEN_BY(a_model_that_lacks_a_part_is_null, struct bench *bench, open_bench, close_bench)
{
    json_t *record = record_of(bench, add_gemv(bench, true, 16e-6, 2e10)); /* no gamma, no barrier */
    static const char *const fields[] = {
        "predicted_s", "predicted_serial_s",  "overlap",          "residual", "binds", "gamma_used",
        "omega",       "predicted_overlap_s", "residual_overlap", NULL};
    for (const char *const *field = fields; *field; field++)
        assert_null_field(record, *field);
    assert_string_equal(field_text(record, "gamma_reason"), "no sequence is declared whose gamma models this kernel");
    assert_near(field_median(record, "time_s"), 16e-6);
    json_decref(record);
}

TEST_GIVEN_BY(a_warm_gemv_is_held_against_its_cache_level, struct bench *bench, open_bench, close_bench)
{
    add_model_parts(bench, 0.5, 1e-6);
    add_beta(bench, "L2", "beta/L2/t2/read.avx2.s4", 1e11, 8);
    add_beta(bench, "memory", "beta/memory/t2/read.avx2.s4", 1e10, 8);
    struct cell *cell = add_gemv(bench, false, 20 * 10e-6, 0);
    cell->repeats = 20;
    json_auto_t *record = record_of(bench, cell);
    assert_string_equal(field_text(record, "protocol"), "warm");
    assert_string_equal(field_text(record, "level"), "L2"); /* 128 KiB a core */
    assert_null_field(record, "roof_fraction");
    assert_near(field_median(record, "time_s"), 10e-6);
    assert_near(field_number(record, "predicted_serial_s"), 262144 / 1e11 + 8.192e-6 + 1e-6);
    assert_string_equal(field_text(record, "binds"), "up-convert");
}

TEST_GIVEN_BY(kept_though_interrupted_is_counted, struct bench *bench, open_bench, close_bench)
{
    struct cell *cell = add_gemv(bench, true, 2e-3, 2e10);
    cell->samples.sample[0].interrupted = cell->samples.sample[1].interrupted = true;
    cell->samples.sample[1].cause = SAMPLE_CONTEXT_SWITCH;
    json_auto_t *record = record_of(bench, cell);
    if (interrupts_undetectable())
        assert_null_field(record, "kept_though_interrupted");
    else
        assert_near(field_number(record, "kept_though_interrupted"), 1);
}

/** Of those that were kept: the one that was rejected lost more. */
TEST_GIVEN_BY(kept_though_switched_is_counted_with_what_was_lost, struct bench *bench, open_bench, close_bench)
{
    struct cell *cell = add_gemv(bench, true, 20e-3, 2e9);
    json_auto_t *record = record_of(bench, cell);
    assert_near(field_number(record, "kept_though_switched"), 0);
    assert_true(field_number(record, "off_core") == 0);
    json_decref(record);
    static const double lost[] = {0.002, 0.4, 0.009};
    for (size_t i = 0; i < 3; i++) {
        cell->samples.sample[i].switched = true;
        cell->samples.sample[i].off_core_share = lost[i];
    }
    cell->samples.sample[1].cause = SAMPLE_CONTEXT_SWITCH;
    record = record_of(bench, cell);
    assert_near(field_number(record, "kept_though_switched"), 2);
    assert_near(field_number(record, "off_core"), 0.009);
}

RUN_TESTS(NULL, NULL)
