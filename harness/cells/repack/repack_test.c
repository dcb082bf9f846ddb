/* SPDX-License-Identifier: BSD-3-Clause
 *
 * steady: every sample is kept, so that what is counted here is certain.
 */
#include <errno.h>
#include <math.h>

#include "harness/cells/cell/fields.h"
#include "harness/cells/cell/testing.h"
#include "harness/cells/product/product_cells.h"
#include "harness/cells/repack/repack.h"
#include "harness/cells/rounds_tests.h"
#include "unit_test.h"

static const struct shape square = {.m = 2048, .k = 2048, .count = 1};

static struct cell *add_repack(struct bench *bench, const char *format)
{
    assert_int_equal(repack_add(&bench->cells, format_find(format), &square, 1), 0);
    return &bench->cells.cell[bench->cells.count - 1];
}

TEST_GIVEN_BY(cells_are_of_orders_of_rows, struct bench *bench, open_bench, close_bench)
{
    static const struct shape small = {.m = 64, .k = 256}, odd = {.m = 4100, .k = 4096}, narrow = {.m = 65536, .k = 40};
    static const char *const none[] = {"q4_0", "cb2_4", "int2_planes", "tq2_0"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_int_equal(repack_add(&bench->cells, format_find(none[i]), &square, 1), 0);
    assert_int_equal(repack_add(&bench->cells, format_find("q4_0_8x8"), &small, 1), 0);
    assert_int_equal(repack_add(&bench->cells, format_find("q4_0_8x8"), &odd, 1), 0);
    assert_int_equal(repack_add(&bench->cells, format_find("q4_0_8x8"), &narrow, 1), 0);
    assert_int_equal(bench->cells.count, 0);
    for (int twice = 0; twice < 2; twice++)
        assert_int_equal(repack_add(&bench->cells, format_find("q4_0_4x4"), &odd, 2), 0);
    assert_int_equal(bench->cells.count, 1);
    assert_string_equal(bench->cells.cell[0].name, "repack/q4_0_4x4/4100x4096/t2");
    assert_ptr_equal(repack_cell(&bench->cells.cell[0])->rows, format_find("q4_0"));
}

TEST_GIVEN_BY(what_is_repacked_is_looked_at, struct bench *bench, open_bench, close_bench)
{
    static const char *const orders[] = {"q4_0_8x8", "q2_k_m16"};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        struct cell *cell = add_repack(bench, orders[i]);
        assert_int_equal(cell_visit(bench->session, cell, 8), 0);
        assert_int_equal(cell->samples.count, 8);
        assert_true(cell->verified && cell->exact);
        json_t *record = summary_record(bench->session, &bench->cells, cell);
        assert_string_equal(field_text(record, "type"), "repack");
        assert_near(field_number(record, "bytes_held_twice"),
                    (double)format_packed_bytes(format_find(orders[i]), 2048, 2048));
        assert_true(field_median(record, "bytes_per_s") > 0);
        assert_null_field(record, "pays_after_tokens");
        json_decref(record);
    }
}

/** An order that mixes up two rows. */
static void interleave_wrongly(const uint8_t *rows, size_t row_bytes, size_t blocks, uint8_t *panel)
{
    block_order_of(format_find("q4_0_4x4"))->interleave(rows + row_bytes, row_bytes, blocks, panel);
}

TEST_GIVEN_BY(wrong_weights_are_not_timed, struct bench *bench, open_bench, close_bench)
{
    struct cell *cell = add_repack(bench, "q4_0_4x4");
    const struct block_order wrong = {.format = format_find("q4_0_4x4"), .interleave = interleave_wrongly};
    repack_cell(cell)->order = &wrong;
    assert_int_equal(cell_visit(bench->session, cell, 8), -EILSEQ);
    assert_string_equal(cell->why, "repacking rows of q4_0 to q4_0_4x4 changed the weights");
    assert_int_equal(cell->samples.count, 0);
}

static void give_times(struct cell *cell, double time_s, double apart)
{
    for (unsigned i = 0; i < 12; i++)
        give(&cell->samples, kept_sample(time_s * (1 + apart * (i % 3)), 1e9));
}

static const struct kernel *kernel_of(const char *format, bool gemm)
{
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        if (strcmp((*kernel)->format->name, format) == 0 && (gemm ? (*kernel)->gemm.run != NULL : !!(*kernel)->gemv))
            return *kernel;
    }
    return NULL;
}

static bool lacks_kernels(bool gemm)
{
    if (kernel_of("q4_0", gemm) && kernel_of("q4_0_m16", gemm))
        return false;
    print_message("# not on this machine: no kernel of q4_0 and q4_0_m16\n");
    return true;
}

static struct cell *add_gemv(struct bench *bench, const char *format, double time_s, double apart)
{
    assert_int_equal(product_add(&bench->cells, kernel_of(format, false), &square, PRODUCT_GEMV, 1, true), 0);
    struct cell *cell = &bench->cells.cell[bench->cells.count - 1];
    give_times(cell, time_s, apart);
    return cell;
}

TEST_GIVEN_BY(it_pays_where_the_order_is_faster, struct bench *bench, open_bench, close_bench)
{
    if (lacks_kernels(false))
        skip();
    give_times(add_repack(bench, "q4_0_m16"), 900e-6, 0);
    struct repack_payment payment = repack_payment(&bench->cells, &bench->cells.cell[0]);
    assert_true(isnan(payment.tokens) && strstr(payment.why, "not both measured"));
    add_gemv(bench, "q4_0", 400e-6, 0);
    add_gemv(bench, "q4_0_m16", 100e-6, 0);
    payment = repack_payment(&bench->cells, &bench->cells.cell[0]);
    assert_null(payment.why);
    assert_near(payment.tokens, 3);
    assert_string_equal(payment.rows_kernel, kernel_of("q4_0", false)->name);
    assert_string_equal(payment.order_kernel, kernel_of("q4_0_m16", false)->name);
}

/** Slower, and faster by less than the times scatter. */
TEST_GIVEN_BY(it_does_not_where_it_is_not, struct bench *bench, open_bench, close_bench)
{
    if (lacks_kernels(false))
        skip();
    give_times(add_repack(bench, "q4_0_m16"), 900e-6, 0);
    add_gemv(bench, "q4_0", 400e-6, 0.1);
    struct cell *order = add_gemv(bench, "q4_0_m16", 390e-6, 0.1);
    assert_true(strstr(repack_payment(&bench->cells, &bench->cells.cell[0]).why, "no gain") != NULL);
    order->samples.count = 0;
    give_times(order, 500e-6, 0);
    assert_true(isnan(repack_payment(&bench->cells, &bench->cells.cell[0]).tokens));
}

static void add_gemm(struct bench *bench, const char *format, size_t tokens, double time_s)
{
    assert_int_equal(product_add(&bench->cells, kernel_of(format, true), &square, tokens, 1, true), 0);
    give_times(&bench->cells.cell[bench->cells.count - 1], time_s, 0);
}

TEST_GIVEN_BY(a_gemm_pays_from_some_number_of_tokens_on, struct bench *bench, open_bench, close_bench)
{
    const char *why;
    if (lacks_kernels(true))
        skip();
    add_gemm(bench, "q4_0_m16", 4, 1e-3);
    assert_true(isnan(repack_pays_at(&bench->cells, &bench->cells.cell[0], &why)));
    assert_non_null(strstr(why, "repacking to it was not measured"));
    give_times(add_repack(bench, "q4_0_m16"), 2e-3, 0);
    assert_true(isnan(repack_pays_at(&bench->cells, &bench->cells.cell[0], &why)));
    assert_non_null(strstr(why, "no cold GEMM of the rows"));
    add_gemm(bench, "q4_0", 4, 2e-3);
    assert_true(isnan(repack_pays_at(&bench->cells, &bench->cells.cell[0], &why)));
    assert_non_null(strstr(why, "no number of tokens"));
    for (size_t tokens = 64; tokens >= 16; tokens /= 4) {
        add_gemm(bench, "q4_0", tokens, 0.5e-3 * (double)tokens);
        add_gemm(bench, "q4_0_m16", tokens, 0.25e-3 * (double)tokens);
    }
    assert_near(repack_pays_at(&bench->cells, &bench->cells.cell[0], &why), 16);
}

RUN_TESTS(NULL, NULL)
