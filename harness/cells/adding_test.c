/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "harness/cells/beta/beta.h"
#include "harness/cells/cell/testing.h"
#include "harness/cells/gamma/gamma.h"
#include "harness/cells/knee/knee.h"
#include "harness/cells/latency/latency.h"
#include "harness/cells/layer/layer.h"
#include "harness/cells/prepare/prepare.h"
#include "harness/cells/product/product_cells.h"
#include "harness/cells/rounds_tests.h"
#include "harness/cells/sync/sync.h"
#include "harness/cells/term/term.h"
#include "harness/cells/tiles/tiles.h"
#include "harness/cells/unpack/unpack.h"
#include "harness/measure/session_level.h"
#include "unit_test.h"

TEST_GIVEN_BY(names_are_an_identity, struct bench *bench, open_bench, close_bench)
{
    struct shape shape = {.m = 1600, .k = 4096};
    for (const struct sequence *const *sequence = sequence_all(); *sequence; sequence++)
        assert_int_equal(gamma_add(&bench->cells, *sequence, 0), 0);
    static const char *const levels[] = {"memory", "L1", "L2", "L3"};
    for (size_t level = 0; level < 4; level++) {
        for (unsigned threads = 1; threads <= 2; threads++)
            assert_int_equal(beta_add(&bench->cells, bench->session, levels[level], threads), 0);
    }
    static const unsigned sizes[] = {1, 2};
    for (const struct sequence *const *sequence = sequence_all(); *sequence; sequence++)
        assert_int_equal(knee_add(&bench->cells, *sequence, session_levels, SESSION_LEVELS, sizes, 2), 0);
    assert_int_equal(sync_add(&bench->cells, 1), 0);
    assert_int_equal(sync_add(&bench->cells, 2), 0);
    assert_int_equal(prepare_add(&bench->cells, bench->session, 4096), 0);
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++)
        assert_int_equal(prepare_add_operand(&bench->cells, bench->session, *kernel, 4096), 0);
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        for (unsigned i = 0; (*kernel)->gemv && i < 4; i++)
            assert_int_equal(product_add(&bench->cells, *kernel, &shape, PRODUCT_GEMV, 1 + i / 2, i % 2), 0);
    }
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        for (unsigned i = 0; (*kernel)->gemm.run && i < 8; i++) {
            size_t tokens = i / 4 ? 512 : 1;
            assert_int_equal(product_add(&bench->cells, *kernel, &shape, tokens, 1 + i / 2 % 2, i % 2), 0);
            assert_int_equal(prepare_add_tokens(&bench->cells, bench->session, *kernel, shape.k, tokens), 0);
        }
        assert_int_equal(unpack_add(&bench->cells, *kernel), 0);
    }
    for (size_t level = 0; level < 4; level++)
        assert_int_equal(latency_add(&bench->cells, bench->session, levels[level]), 0);
    for (size_t level = 0; level < 4; level++) {
        for (unsigned threads = 1; threads <= 2; threads++)
            assert_int_equal(tiles_add(&bench->cells, bench->session, levels[level], threads), 0);
    }
    for (unsigned threads = 2; threads <= 4; threads += 2)
        assert_int_equal(latency_add_loaded(&bench->cells, bench->session, threads), 0);
    const struct shape square = {.m = 4096, .k = 4096};
    char why[160];
    for (unsigned threads = 1; threads <= 2; threads++) {
        assert_int_equal(term_add_streams(&bench->cells, bench->session, threads), 0);
        for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++)
            assert_int_equal(term_add_kernel(&bench->cells, bench->session, *kernel, &square, threads, why, sizeof why),
                             (*kernel)->gemv ? 0 : -EINVAL);
    }
    static const char *const models[] = {"llama3.2-1b", "bitnet-700m", "llama3-8b"};
    for (int i = 0; i < 3 * LAYER_CACHES; i++) {
        struct model model;
        assert_int_equal(model_find(models[i / LAYER_CACHES], &model, why, sizeof why), 0);
        assert_int_equal(layer_add(&bench->cells, bench->session, &model, (enum layer_cache)(i % LAYER_CACHES)), 0);
        const size_t count = bench->cells.count;
        assert_int_equal(layer_add(&bench->cells, bench->session, &model, (enum layer_cache)(i % LAYER_CACHES)), 0);
        assert_int_equal(bench->cells.count, count);
    }
    const struct cells *cells = &bench->cells;
    for (size_t i = 0; i < cells->count; i++) {
        assert_true(strlen(cells->cell[i].name) < sizeof cells->cell[i].name - 1);
        for (size_t j = 0; j < i; j++) {
            if (strcmp(cells->cell[i].name, cells->cell[j].name) == 0)
                fail_msg("'%s' twice", cells->cell[i].name);
        }
    }
}

/** Of a step as long as a sample says; of attention computing, reading and what both take together. */
TEST_GIVEN_BY(what_lies_between_matrices_is_read_off_its_cells, struct bench *bench, open_bench, close_bench)
{
    struct model model;
    char why[256];
    assert_int_equal(model_find("llama3.2-1b", &model, why, sizeof why), 0);
    assert_int_equal(layer_add(&bench->cells, bench->session, &model, LAYER_CACHE_BF16), 0);
    assert_true(isnan(layer_time(bench->session, &bench->cells, &model, LAYER_CACHE_BF16, LAYER_STEP_NORM)));
    assert_true(isnan(layer_attention_constants(bench->session, &bench->cells, &model, LAYER_CACHE_BF16).omega));
    for (size_t i = 0; i < bench->cells.count; i++) {
        struct cell *cell = &bench->cells.cell[i];
        const struct layer_cell *own = layer_cell(cell);
        const double amount = cell->repeats * (own->step < LAYER_STEP_ATTENTION ? 1 : (double)own->positions);
        /* a position computes for 10 ns, its 256 bytes are read in 16, and both together take 18 */
        give_many(&cell->samples, kept_sample(amount * (cell->cold ? 18e-9 : 10e-9), 2e9), 8);
        cell->roof_bytes = 1 << 20;
        for (int j = 0; cell->cold && j < 8; j++)
            give(&cell->roof, kept_sample((1 << 20) * 16e-9 / 256, 2e9));
    }
    cell_kind_layer.settle(&bench->cells);
    for (enum layer_step step = LAYER_STEP_NORM; step < LAYER_STEP_ATTENTION; step++)
        assert_near(layer_time(bench->session, &bench->cells, &model, LAYER_CACHE_BF16, step), 10e-9);
    const struct layer_attention_constants of =
        layer_attention_constants(bench->session, &bench->cells, &model, LAYER_CACHE_BF16);
    assert_near(of.position_s, 10e-9);
    assert_near(of.bytes_per_s, 256 / 16e-9);
    assert_near(of.omega, 0.8);
    /* those of another cache are others */
    assert_true(isnan(layer_attention_constants(bench->session, &bench->cells, &model, LAYER_CACHE_Q8_0).position_s));
}

static void prepare_nothing(const void *activations, size_t k, void *prepared)
{
    (void)activations, (void)k, (void)prepared;
}

/** All from f32 to what a kernel reads, in one cell, once. */
TEST_GIVEN_BY(an_operand_is_prepared_by_what_it_takes, struct bench *bench, open_bench, close_bench)
{
    const struct cells *cells = &bench->cells;
    static const struct format format = {.k_per_step = 64, .max_k = 4096},
                               in_order = {.k_per_step = 64, .order_columns = 16};
    const struct kernel kernels[] = {
        {.name = "plain", .format = &format, .takes = KERNEL_TAKES_INT8},
        {.name = "plain too", .format = &format, .takes = KERNEL_TAKES_INT8},
        {.name = "tables", .format = &format, .takes = KERNEL_TAKES_INT8, .prepare = prepare_nothing},
        {.name = "blocks", .format = &format, .takes = KERNEL_TAKES_F32, .prepare = prepare_nothing},
        {.name = "floats", .format = &format, .takes = KERNEL_TAKES_F32},
    };
    /* an order is one more thing to do, and what it costs is measured where there is more */
    const struct kernel floats = {.name = "ordered", .format = &in_order, .takes = KERNEL_TAKES_F32};
    const struct kernel blocks = {
        .name = "ordered too", .format = &in_order, .takes = KERNEL_TAKES_F32, .prepare = prepare_nothing};
    for (int twice = 0; twice < 2; twice++) {
        for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
            assert_int_equal(prepare_add_operand(&bench->cells, bench->session, &kernels[i], 512), 0);
    }
    assert_int_equal(cells->count, 3);
    const struct prepare_cell *own[] = {prepare_cell(&cells->cell[0]), prepare_cell(&cells->cell[1]),
                                        prepare_cell(&cells->cell[2])};
    assert_true(own[0]->quantizer && !cells->cell[0].kernel && !own[0]->bf16);
    assert_true(own[1]->quantizer && cells->cell[1].kernel == &kernels[2]);
    assert_true(!own[2]->quantizer && cells->cell[2].kernel == &kernels[3]);
    assert_int_equal(prepare_add_operand(&bench->cells, bench->session, &kernels[3], 1024), 0);
    assert_int_equal(cells->count, 4);
    assert_int_equal(prepare_add_operand(&bench->cells, bench->session, &floats, 512), 0);
    assert_int_equal(cells->count, 5);
    assert_true(cells->cell[4].kernel == &floats && !prepare_cell(&cells->cell[4])->unordered);
    assert_int_equal(prepare_add_operand(&bench->cells, bench->session, &blocks, 512), 0);
    assert_int_equal(cells->count, 7);
    assert_true(!prepare_cell(&cells->cell[5])->unordered && prepare_cell(&cells->cell[6])->unordered);
    assert_true(prepare_cell(&cells->cell[6])->k == 512 && cells->cell[6].kernel == &blocks);
    /* tables alone: of int8, once */
    for (size_t i = 0; i < 2 * sizeof kernels / sizeof *kernels; i++)
        assert_int_equal(prepare_add_tables(&bench->cells, &kernels[i / 2], 512), 0);
    assert_int_equal(cells->count, 8);
    assert_true(cells->cell[7].kernel == &kernels[2] && !prepare_cell(&cells->cell[7])->quantizer);
}

TEST_GIVEN_BY(one_number_of_accumulators_can_be_asked_for, struct bench *bench, open_bench, close_bench)
{
    const struct sequence *const *at = sequence_all();
    while (*at && (*at)->variants < 3)
        at++;
    const struct sequence *sequence = *at;
    assert_non_null(sequence);
    assert_int_equal(gamma_add(&bench->cells, sequence, 0), 0);
    assert_int_equal(bench->cells.count, sequence->variants);
    assert_int_equal(gamma_add(&bench->cells, sequence, 3), 0);
    assert_int_equal(bench->cells.count, sequence->variants + 1);
    assert_int_equal(gamma_cell(&bench->cells.cell[sequence->variants])->variant->accumulators, 3);
    assert_int_equal(gamma_add(&bench->cells, sequence, SEQUENCE_ACCUMULATORS_MAX + 1), 0);
    assert_int_equal(bench->cells.count, sequence->variants + 1);
}

TEST_GIVEN_BY(streams_fit_their_level_even_if_a_cache_is_not_known, struct bench *bench, open_bench, close_bench)
{
    bench->session->level_bytes[1] = 48 << 10;
    bench->session->level_bytes[2] = 0;
    bench->session->level_bytes[3] = 32 << 20;
    static const char *const levels[] = {"L1", "L2", "L3", "memory"};
    for (size_t level = 0; level < 4; level++)
        assert_int_equal(beta_add(&bench->cells, bench->session, levels[level], 1), 0);
    assert_true(bench->cells.count > 0);
    for (size_t i = 0; i < bench->cells.count; i++) {
        const struct cell *cell = &bench->cells.cell[i];
        const struct beta_cell *own = beta_cell(cell);
        assert_true(own->bytes > 0 && cell->repeats > 0);
        assert_int_equal(own->bytes % SESSION_STREAM_UNIT, 0); /* of a roof, whose stream is to be chosen, too */
        assert_true(strcmp(own->level, "L1") != 0 || own->bytes <= 24 << 10);
        assert_true(cell->cold || own->roof || !own->stream.variant->hint);
        assert_int_equal(own->roof, !own->stream.stream);
        assert_int_equal(cell->cold, strcmp(own->level, "memory") == 0);
    }
}

RUN_TESTS(NULL, NULL)
