/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "harness/cells/gemm/gemm_model.h"
#include "harness/cells/on_paper.h"
#include "harness/cells/unpack/unpack.h"
#include "unit_test.h"

/** It has a GEMM, which is never called. */
static void gemm_on_paper(const struct gemm_slice *slice)
{
    (void)slice;
    fail();
}

static size_t scratch_bytes(size_t k, size_t tokens)
{
    return 64 * k + 256 * tokens;
}

static struct kernel unpacking(void)
{
    struct kernel unpacks = kernel;
    unpacks.gemm = (struct kernel_gemm){.run = gemm_on_paper, .unpacks_alone = true, .scratch_bytes = scratch_bytes};
    return unpacks;
}

/* 2 bits: a panel of 64 rows x 1024 columns is 16 KB, 2048 output vectors */
enum { VECTORS = 64 * UNPACK_K / 32 };

/** Pairs whose difference is this many cycles a vector, with 300 cycles around each call. */
static void give_pairs(struct cell *cell, double cycles, unsigned count)
{
    cell->iterations = ITERATIONS;
    cell->exact = true;
    for (unsigned i = 0; i < 2 * count; i++)
        give(&cell->samples,
             kept_sample((300 + (1 + i % 2) * cycles * VECTORS) * ITERATIONS / (double)CLOCK_HZ, CLOCK_HZ));
}

TEST_GIVEN_BY(cells_are_those_of_kernels_that_unpack, struct bench *bench, open_bench, close_bench)
{
    struct kernel unpacks = unpacking(), not_so = kernel, coarse = unpacking();
    struct format format_of_large_k = format;
    format_of_large_k.k_multiple = format_of_large_k.k_per_step = 1000;
    coarse.format = &format_of_large_k;
    not_so.gemm.run = gemm_on_paper;
    assert_false(unpack_has(&kernel) || unpack_has(&not_so) || unpack_has(&coarse));
    assert_true(unpack_has(&unpacks));
    assert_int_equal(unpack_add_tokens(&bench->cells, &not_so), 0);
    assert_int_equal(bench->cells.count, 0);
    assert_int_equal(unpack_add(&bench->cells, &unpacks), 0);
    assert_string_equal(bench->cells.cell[0].name, "unpack/int2_test.paper.avx2/n0");
    for (int twice = 0; twice < 2; twice++)
        assert_int_equal(unpack_add_tokens(&bench->cells, &unpacks), 0);
    assert_int_equal(bench->cells.count, 6);
    assert_int_equal(unpack_cell(&bench->cells.cell[5])->tokens, UNPACK_TOKENS_MOST);
    assert_string_equal(bench->cells.cell[5].name, "unpack/int2_test.paper.avx2/n32");
}

TEST_GIVEN_BY(gamma_up_is_what_more_panels_take, struct bench *bench, open_bench, close_bench)
{
    struct kernel unpacks = unpacking();
    assert_int_equal(unpack_add_tokens(&bench->cells, &unpacks), 0);
    struct cell *alone = &bench->cells.cell[0], *with_8 = &bench->cells.cell[3];
    assert_true(isnan(unpack_gamma(&bench->cells, &unpacks)));
    give_pairs(alone, 0.5, 5);
    assert_true(isnan(unpack_gamma(&bench->cells, &unpacks))); /* 6 are needed */
    give_pairs(alone, 0.5, 1);
    assert_near(unpack_gamma(&bench->cells, &unpacks), 0.5);
    assert_int_equal(cell_kind_unpack.kept(alone), 6);

    json_auto_t *record = record_of(bench, alone);
    assert_string_equal(field_text(record, "type"), "unpack");
    assert_near(field_median(record, "cycles_per_vector"), 0.5);
    assert_near(field_number(record, "bytes_per_vector"), 8);
    assert_near(field_number(record, "scratch_bytes"), 64 * UNPACK_K);
    assert_near(field_number(record, "m"), 64);
    assert_null(json_object_get(record, "gamma"));
    json_decref(record);

    give_pairs(with_8, 2.5, 6);
    record = record_of(bench, with_8);
    assert_near(field_number(record, "n"), 8);
    assert_near(field_number(record, "gamma"), 2.5 / 8);
    assert_near(field_number(record, "beyond_unpacking"), 2.0 / 8);
    json_decref(record);
    alone->samples.count = 4;
    record = record_of(bench, with_8);
    assert_null_field(record, "beyond_unpacking");
    assert_string_equal(field_text(record, "beyond_unpacking_reason"), "unpacking alone was not measured often enough");
}

/** What the sweep cannot tell from reading is known: the roof, N* and what binds follow, and predictions do not. */
TEST_WITH(the_model_takes_what_was_measured, open_bench, close_bench)
{
    struct gemm_model model = {
        .fit = {.dot = 0.25, .up = NAN, .up_least = 0.1, .up_range = {0.1, 2.1}, .up_why = "it cannot be told"},
        .unpack_gamma = NAN};
    struct gemm_fit terms = gemm_model_terms(&model);
    assert_true(isnan(terms.up) && terms.up_why);
    model.unpack_gamma = 0.5;
    terms = gemm_model_terms(&model);
    assert_near(terms.up, 0.5);
    assert_null(terms.up_why);
    assert_near(gemm_knee(&terms, 2.5), 8);
    assert_near(gemm_roofs(&terms, 4, 2.5, 0.2).up_convert, 64 * 4 / 0.5);
    assert_string_equal(gemm_binds(&terms, 8.5, 2.5), "multiply");
    assert_near(gemm_computing(&terms, 4), gemm_computing(&model.fit, 4));
}

RUN_TESTS(NULL, NULL)
