/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "harness/cells/gemv/gemv_model.h"
#include "harness/cells/on_paper.h"
#include "roofline/overlap.h"
#include "unit_test.h"

/* 4096 x 4096 of 2 bits: 4 MiB, 524288 output vectors. Reading at 20 GB/s 209.7 us, computing 0.25 cycles a vector 131.1 us. */
static const double calibration_bytes = 4194304, calibration_vectors = 524288, one_core = 2e10;

static struct cell *add_memory(struct bench *bench, unsigned threads, double bytes_per_s)
{
    struct cell *cell = add_beta(bench, "memory", "beta/memory/t1/read.avx2.s4", bytes_per_s, 0);
    cell->threads = threads;
    give_many(&cell->samples, kept_sample(threads * (double)(1 << 20) / bytes_per_s, CLOCK_HZ), 8);
    return cell;
}

/** The cell that omega is taken from, of that time. */
static struct cell *add_calibration(struct bench *bench, double time_s)
{
    struct cell *cell = add_gemv(bench, true, time_s, one_core);
    gemv_cell(cell)->m = gemv_cell(cell)->k = GEMV_CALIBRATION_SIDE;
    cell->threads = 1;
    return cell;
}

static double time_with(double omega, double gamma)
{
    double memory_s = calibration_bytes / one_core, compute_s = calibration_vectors * gamma / CLOCK_HZ;
    return memory_s + compute_s - omega * fmin(memory_s, compute_s);
}

/** All that a prediction of two threads rests on; what the team reads together is this many times one core's. */
static void add_parts(struct bench *bench, double omega, double team)
{
    add_model_parts(bench, 0.25, 1e-6);
    add_memory(bench, 1, one_core);
    add_memory(bench, 2, team * one_core);
    add_calibration(bench, time_with(omega, 0.25));
}

TEST_GIVEN_BY(omega_is_taken_from_the_calibration_cell, struct bench *bench, open_bench, close_bench)
{
    add_parts(bench, 0.6, 2);
    struct gemv_omega omega = gemv_omega(&bench->session, &bench->cells, &kernel);
    assert_null(omega.why);
    assert_near(omega.quantity.summary.median, 0.6);
    assert_int_equal(omega.quantity.summary.n, 8);
    assert_string_equal(omega.quantity.grade, "chain");
    /* if its inputs do not scatter, neither does it */
    assert_near(omega.quantity.summary.ci95[0], 0.6);
    assert_near(omega.quantity.summary.ci95[1], 0.6);
}

TEST_GIVEN_BY(scatter_of_the_time_is_scatter_of_omega, struct bench *bench, open_bench, close_bench)
{
    add_parts(bench, 0.6, 2);
    struct cell *cell = &bench->cells.cell[bench->cells.count - 1];
    double compute_s = calibration_vectors * 0.25 / CLOCK_HZ;
    for (size_t i = 0; i < cell->samples.count; i++)
        cell->samples.sample[i].wall_s += i % 2 ? 1e-6 : -1e-6;
    struct gemv_omega omega = gemv_omega(&bench->session, &bench->cells, &kernel);
    assert_near(omega.quantity.summary.median, 0.6);
    assert_near(omega.quantity.summary.mad, 1e-6 / compute_s);
    assert_near(omega.quantity.summary.min, 0.6 - 1e-6 / compute_s);
    assert_true(omega.quantity.summary.ci95[0] < 0.6 && omega.quantity.summary.ci95[1] > 0.6);
}

TEST_GIVEN_BY(omega_is_not_clamped, struct bench *bench, open_bench, close_bench)
{
    add_parts(bench, -0.5, 2);
    assert_near(gemv_omega(&bench->session, &bench->cells, &kernel).quantity.summary.median, -0.5);
}

TEST_GIVEN_BY(other_cells_are_predicted_and_held_out, struct bench *bench, open_bench, close_bench)
{
    add_parts(bench, 0.6, 2);
    /* of 1024 x 1024 each of two cores has 1/32 */
    double core_s = time_with(0.6, 0.25) / 32, shared_s = 262144 / (2 * one_core);
    struct cell *cell = add_gemv(bench, true, core_s + 2e-6, one_core);
    struct gemv_model model = gemv_model(&bench->session, &bench->cells, cell);
    assert_near(model.shared_s, shared_s);
    assert_near(model.memory_s, shared_s);
    assert_near(model.overlap_s, core_s + 1e-6);
    assert_near(model.max_s, shared_s + 1e-6);
    json_auto_t *record = record_of(bench, cell);
    assert_flag(record, "held_out", true);
    assert_near(field_number(record, "residual_overlap"), 1e-6 / (core_s + 1e-6));
    assert_near(field_number(record, "omega"), 0.6);
}

TEST_GIVEN_BY(what_a_team_shares_can_hold_it, struct bench *bench, open_bench, close_bench)
{
    add_parts(bench, 0.6, 1); /* two cores read no more than one */
    double shared_s = 262144 / one_core;
    struct cell *cell = add_gemv(bench, true, shared_s, one_core);
    struct gemv_model model = gemv_model(&bench->session, &bench->cells, cell);
    assert_near(model.memory_s, shared_s / 2);
    assert_near(model.overlap_s, overlap_team_time(2, shared_s, shared_s / 2, model.compute_s, 0.6) + 1e-6);
    assert_true(model.overlap_s > shared_s + 1e-6);
}

TEST_GIVEN_BY(memory_is_as_it_was_beside_other_cells, struct bench *bench, open_bench, close_bench)
{
    add_parts(bench, 0.6, 2);
    struct cell *cell = add_gemv(bench, true, 20e-6, one_core);
    struct gemv_model run = gemv_model(&bench->session, &bench->cells, cell);
    cell->roof_local_bytes_per_s = one_core;
    struct gemv_model then = gemv_model(&bench->session, &bench->cells, cell);
    assert_near(then.shared_s, 2 * run.shared_s);
    assert_near(then.memory_s, run.memory_s);
    cell->threads = 1;
    then = gemv_model(&bench->session, &bench->cells, cell);
    assert_near(then.memory_s, 262144 / one_core);
    cell->cold = false; /* a cache is not memory */
    then = gemv_model(&bench->session, &bench->cells, cell);
    assert_true(isnan(then.shared_s));
}

TEST_GIVEN_BY(omega_rests_on_the_roof_beside_its_cell, struct bench *bench, open_bench, close_bench)
{
    add_parts(bench, 0.6, 2);
    struct cell *calibration = &bench->cells.cell[bench->cells.count - 1];
    struct cell *beta = &bench->cells.cell[2];
    assert_non_null(beta_cell(beta));
    for (size_t i = 0; i < beta->samples.count; i++)
        beta->samples.sample[i].wall_s *= 1.5; /* of the run: it does not matter */
    assert_near(gemv_omega(&bench->session, &bench->cells, &kernel).quantity.summary.median, 0.6);
    calibration->roof.count = 5; /* too few beside it: that of the run */
    assert_true(gemv_omega(&bench->session, &bench->cells, &kernel).quantity.summary.median > 0.7);
}

TEST_GIVEN_BY(the_calibration_cell_has_no_residual, struct bench *bench, open_bench, close_bench)
{
    add_parts(bench, 0.6, 2);
    const struct cell *cell = &bench->cells.cell[bench->cells.count - 1];
    json_auto_t *record = record_of(bench, cell);
    assert_flag(record, "held_out", false);
    assert_null_field(record, "residual");
    assert_null_field(record, "residual_overlap");
    assert_non_null(strstr(field_text(record, "residual_overlap_reason"), "calibration"));
    assert_non_null(strstr(field_text(record, "residual_reason"), "calibration"));
}

TEST_GIVEN_BY(a_prediction_says_what_it_lacks, struct bench *bench, open_bench, close_bench)
{
    add_model_parts(bench, 0.25, 1e-6);
    struct cell *cell = add_gemv(bench, true, 20e-6, one_core);
    assert_non_null(strstr(gemv_model(&bench->session, &bench->cells, cell).why, "calibration cell"));
    struct cell *calibration = add_calibration(bench, time_with(0.6, 0.25));
    calibration->roof.count = 0;
    assert_non_null(strstr(gemv_model(&bench->session, &bench->cells, cell).why, "beta of one thread"));
    struct cell *beta = add_memory(bench, 1, one_core);
    assert_non_null(strstr(gemv_model(&bench->session, &bench->cells, cell).why, "beta of its level"));
    add_memory(bench, 2, one_core);
    assert_null(gemv_model(&bench->session, &bench->cells, cell).why);
    /* five samples are too few of anything */
    calibration->samples.count = 5;
    json_t *record = record_of(bench, cell);
    assert_null_field(record, "omega");
    assert_null_field(record, "predicted_overlap_s");
    assert_non_null(strstr(field_text(record, "predicted_overlap_s_reason"), "too few samples"));
    assert_true(field_number(record, "predicted_s") > 0);
    json_decref(record);
    calibration->samples.count = 8;
    beta->samples.count = 5;
    assert_non_null(gemv_model(&bench->session, &bench->cells, cell).why);
}

TEST_GIVEN_BY(omega_has_a_record_of_its_own, struct bench *bench, open_bench, close_bench)
{
    add_parts(bench, 0.6, 2);
    struct cell *calibration = &bench->cells.cell[bench->cells.count - 1];
    json_t *record = cell_kind_gemv.derived(&bench->session, &bench->cells, calibration);
    assert_string_equal(field_text(record, "type"), "omega");
    assert_string_equal(field_text(record, "name"), kernel.name);
    assert_near(field_median(record, "omega"), 0.6);
    assert_near(field_number(record, "m"), 4096);
    assert_near(field_number(record, "threads"), 1);
    assert_near(field_number(record, "bytes_per_vector"), 8);
    assert_string_equal(field_text(record, "gamma_used"), "int2_test.paper.avx2@4");
    json_decref(record);
    bench->cells.cell[0].samples.count = 4; /* two pairs of gamma */
    record = cell_kind_gemv.derived(&bench->session, &bench->cells, calibration);
    assert_null_field(record, "omega");
    assert_non_null(strstr(field_text(record, "omega_reason"), "gamma"));
    json_decref(record);
    struct cell *other = add_gemv(bench, true, 20e-6, one_core);
    assert_null(cell_kind_gemv.derived(&bench->session, &bench->cells, other));
}

TEST_GIVEN_BY(a_calibration_cell_is_added_once, struct bench *bench, open_bench, close_bench)
{
    assert_int_equal(gemv_add_calibration(&bench->cells, &kernel), 0);
    assert_int_equal(gemv_add_calibration(&bench->cells, &kernel), 0);
    assert_int_equal(bench->cells.count, 1);
    assert_true(gemv_is_calibration(&bench->cells.cell[0]));
    bench->cells.cell[0].threads = 2;
    assert_false(gemv_is_calibration(&bench->cells.cell[0]));
}

RUN_TESTS(NULL, NULL)
