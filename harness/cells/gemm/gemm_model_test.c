/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The model of a sweep over numbers of tokens, on cells as if they had been measured.
 */
#include <math.h>

#include "harness/cells/gemm/gemm_model.h"
#include "harness/cells/on_paper.h"
#include "harness/cells/product/product_schedule.h"
#include "harness/cells/product/product_summary.h"
#include "unit_test.h"

/** It has a GEMM, which is never called. */
static void gemm_on_paper(const struct gemm_slice *slice)
{
    (void)slice;
    fail();
}

static const struct kernel many = {.name = "int2_test.paper.avx2",
                                   .sequence = "paper",
                                   .isa = "avx2",
                                   .origin = "kneepoint",
                                   .format = &format,
                                   .gemm = {.run = gemm_on_paper}};

/* 1024 x 1024 of 2 bits by two cores: 32768 output vectors, 262144 bytes. */
static const double up = 0.5, dot = 0.25, vectors = 32768, bytes = 262144, memory_rate = 2e10;

static double computing_s(double tokens)
{
    return (up + dot * tokens) * vectors / 2 / CLOCK_HZ;
}

static struct cell *add_gemm(struct bench *bench, size_t tokens, bool cold, double time_s)
{
    struct cell *cell = add(bench, &cell_kind_gemm, "gemm/int2_test.paper.avx2/1024x1024/n/t2");
    struct product_cell *own = gemm_cell(cell);
    own->m = own->k = 1024;
    own->tokens = tokens;
    cell->kernel = &many;
    cell->threads = 2;
    cell->cold = cell->beside_roof = cold;
    cell->exact = true;
    cell->roof_bytes = 4 << 20;
    for (int i = 0; i < 8; i++) {
        if (cold)
            give(&cell->roof, kept_sample((4 << 20) / memory_rate, CLOCK_HZ));
        give(&cell->samples, kept_sample(time_s, CLOCK_HZ));
    }
    return cell;
}

/** Warm cells of these numbers of tokens; reading L2 takes no time, which leaves nothing of gamma_up open. */
static struct cell *add_warm(struct bench *bench, const size_t *tokens, size_t count)
{
    struct cell *first = NULL;
    add_beta(bench, "L2", "beta/L2/t2/read.avx2.s4", 1e18, 8);
    for (size_t i = 0; i < count; i++) {
        struct cell *cell = add_gemm(bench, tokens[i], false, computing_s((double)tokens[i]));
        first = first ? first : cell;
    }
    return first;
}

static struct gemm_model model_of(const struct bench *bench, const struct cell *cell)
{
    return gemm_model(&bench->session, &bench->cells, cell);
}

static void assert_about(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-6 * fabs(expected)))
        fail_msg("%.9g is not %.9g", value, expected);
}

TEST_GIVEN_BY(two_of_three_numbers_of_tokens_are_fitted_to, struct bench *bench, open_bench, close_bench)
{
    static const size_t tokens[] = {64, 4, 1, 256, 16}; /* their order among the cells does not matter */
    struct cell *cell = add_warm(bench, tokens, 5);
    struct gemm_model model = model_of(bench, cell);
    assert_null(model.why);
    assert_string_equal(model.protocol, "warm");
    static const size_t fitted[] = {1, 4, 64, 256};
    assert_int_equal(model.calibrations, 4);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(model.calibrated[i], fitted[i]);
    assert_about(model.fit.dot, dot);
    assert_about(model.fit.up, up);
    assert_true(isnan(model.omega)); /* nothing is cold */
    assert_int_equal(model.omega_tokens, 0);
    for (size_t i = 1; i < bench->cells.count; i++) {
        const struct cell *other = &bench->cells.cell[i];
        assert_int_equal(gemm_is_calibration(&model, other), gemm_cell(other)->tokens != 16);
    }
}

TEST_GIVEN_BY(of_few_numbers_all_are_fitted_to, struct bench *bench, open_bench, close_bench)
{
    static const size_t tokens[] = {4, 16, 64};
    struct gemm_model model = model_of(bench, add_warm(bench, tokens, 3));
    assert_int_equal(model.calibrations, 3);
    assert_about(model.fit.dot, dot);
}

TEST_GIVEN_BY(a_cell_that_was_not_fitted_to_has_a_residual, struct bench *bench, open_bench, close_bench)
{
    static const size_t tokens[] = {1, 4, 64, 256};
    struct cell *fitted = add_warm(bench, tokens, 4), *other = add_gemm(bench, 16, false, 1.1 * computing_s(16));
    json_auto_t *record = record_of(bench, other);
    assert_flag(record, "held_out", true);
    assert_about(field_number(record, "predicted_s"), computing_s(16));
    assert_about(field_number(record, "residual"), 0.1);
    assert_about(field_number(record, "compute_s"), computing_s(16));
    json_decref(record);
    record = record_of(bench, fitted);
    assert_flag(record, "held_out", false);
    assert_null_field(record, "residual");
    assert_non_null(strstr(field_text(record, "residual_reason"), "calibration"));
}

TEST_GIVEN_BY(omega_is_of_the_cold_cell_whose_sides_are_most_alike, struct bench *bench, open_bench, close_bench)
{
    static const size_t tokens[] = {4, 16, 64};
    struct cell *warm = add_warm(bench, tokens, 3);
    add_beta(bench, "memory", "beta/memory/t2/read.avx2.s4", memory_rate, 8);
    /* reading takes 13.1 us, computing 8.2 us of no token, 12.3 of one, 24.6 of four */
    double reading_s = bytes / memory_rate;
    add_gemm(bench, 1, true, reading_s + computing_s(1) - 0.7 * fmin(reading_s, computing_s(1)));
    add_gemm(bench, 4, true, reading_s + computing_s(4) - 0.2 * fmin(reading_s, computing_s(4)));
    struct gemm_model model = model_of(bench, warm);
    assert_int_equal(model.omega_tokens, 1);
    assert_about(model.omega, 0.7);
    assert_about(model.memory_cycles, reading_s * CLOCK_HZ * 2 / vectors);
    assert_about(model.knee, (model.memory_cycles - up) / dot);
    const struct cell *cold = &bench->cells.cell[bench->cells.count - 2];
    assert_true(gemm_is_omega(&model, cold) && !gemm_is_calibration(&model, cold));
    assert_false(gemm_is_omega(&model, warm));
    struct gemm_prediction predicted = gemm_predict(&bench->session, &bench->cells, &model, cold + 1);
    assert_about(predicted.memory_s, reading_s);
    assert_about(predicted.max_s, computing_s(4));
    assert_about(predicted.overlap_s, reading_s + computing_s(4) - 0.7 * reading_s);
    json_auto_t *record = record_of(bench, cold);
    assert_null_field(record, "residual_overlap");
    assert_true(field_number(record, "residual") > 0);
    assert_non_null(strstr(field_text(record, "residual_overlap_reason"), "omega"));
}

TEST_GIVEN_BY(without_warm_cells_the_cold_ones_are_fitted_to, struct bench *bench, open_bench, close_bench)
{
    add_beta(bench, "memory", "beta/memory/t2/read.avx2.s4", memory_rate, 8);
    struct cell *cell = add_gemm(bench, 16, true, computing_s(16));
    add_gemm(bench, 64, true, computing_s(64));
    add_gemm(bench, 256, true, computing_s(256));
    struct gemm_model model = model_of(bench, cell);
    assert_string_equal(model.protocol, "cold");
    assert_about(model.fit.dot, dot);
}

TEST_GIVEN_BY(what_there_is_no_fit_for_says_why, struct bench *bench, open_bench, close_bench)
{
    static const size_t one[] = {16};
    struct cell *cell = add_warm(bench, one, 1);
    struct gemm_model model = model_of(bench, cell);
    assert_non_null(strstr(model.why, "needs two token counts"));
    json_t *record = record_of(bench, cell);
    assert_null_field(record, "predicted_s");
    assert_string_equal(field_text(record, "predicted_s_reason"), model.why);
    json_decref(record);
    cell->samples.count = 5; /* too few for a number */
    assert_non_null(strstr(model_of(bench, cell).why, "none of its cells"));
}

TEST_GIVEN_BY(a_schedule_has_no_model_and_is_of_no_sweep, struct bench *bench, open_bench, close_bench)
{
    static const size_t tokens[] = {4, 16, 64};
    struct cell *plain = add_warm(bench, tokens, 3), *dynamic = add_gemm(bench, 256, false, 1);
    const struct product_schedule_request request = {.kind = SCHEDULE_DYNAMIC};
    gemm_cell(dynamic)->schedule = product_schedule_make(&request, 2);
    assert_false(gemm_same_sweep(plain, dynamic));
    assert_int_equal(model_of(bench, plain).calibrations, 3);
    assert_non_null(strstr(model_of(bench, dynamic).why, "equal shares"));
    assert_null(cell_kind_gemm.derived(&bench->session, &bench->cells, dynamic));
    struct cell *alone = add_gemm(bench, 4, false, 1), *gemv = add_gemv(bench, true, 1e-5, memory_rate);
    alone->threads = 1;
    assert_false(gemm_same_sweep(plain, alone) || gemm_same_sweep(plain, gemv) || gemm_same_sweep(gemv, gemv));
}

TEST_GIVEN_BY(a_sweep_has_one_record, struct bench *bench, open_bench, close_bench)
{
    static const size_t tokens[] = {4, 16, 64, 256};
    struct cell *first = add_warm(bench, tokens, 4);
    json_auto_t *record = cell_kind_gemm.derived(&bench->session, &bench->cells, first);
    assert_string_equal(field_text(record, "type"), "gemm_model");
    assert_about(field_number(record, "gamma_dot"), dot);
    assert_about(field_number(record, "gamma_up"), up);
    assert_null_field(record, "n_star"); /* beta of memory is not known */
    assert_non_null(strstr(field_text(record, "n_star_reason"), "beta of memory"));
    assert_int_equal(json_array_size(json_object_get(record, "fitted_n")), 3);
    assert_int_equal(json_array_size(json_object_get(record, "residuals")), 1);
    assert_int_equal(json_array_size(json_object_get(record, "roofs")), 4);
    json_decref(record);
    assert_null(cell_kind_gemm.derived(&bench->session, &bench->cells, first + 1));
    first->samples.count = 0; /* then the next one leads */
    record = cell_kind_gemm.derived(&bench->session, &bench->cells, first + 1);
    assert_non_null(record);
}

RUN_TESTS(NULL, NULL)
