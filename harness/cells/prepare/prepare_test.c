/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "harness/cells/on_paper.h"
#include "unit_test.h"

TEST_GIVEN_BY(barrier_and_quantizer_have_records_of_their_own, struct bench *bench, open_bench, close_bench)
{
    struct cell *sync = add(bench, &cell_kind_sync, "sync/barrier/t2");
    sync->threads = 2;
    sync->repeats = 100;
    give_many(&sync->samples, kept_sample(100e-6, CLOCK_HZ), 6);
    json_auto_t *record = record_of(bench, sync);
    assert_string_equal(field_text(record, "type"), "sync");
    assert_string_equal(field_text(record, "name"), "barrier");
    assert_near(field_median(record, "time_s"), 1e-6);
    json_decref(record);

    static const struct quantizer quantizer = {.name = "per_tensor.avx2", .isa = "avx2"};
    struct cell *prepare = add(bench, &cell_kind_prepare, "prepare/bf16/per_tensor.avx2/4096");
    prepare_cell(prepare)->quantizer = &quantizer;
    prepare_cell(prepare)->bf16 = true;
    prepare_cell(prepare)->k = 4096;
    give_many(&prepare->samples, kept_sample(1e-6, CLOCK_HZ), 6);
    record = record_of(bench, prepare);
    assert_string_equal(field_text(record, "type"), "prepare");
    assert_string_equal(field_text(record, "name"), "quantize.bf16");
    assert_near(field_number(record, "k"), 4096);
}

static struct cell *add_prepare(struct bench *bench, const struct kernel *of, const struct quantizer *quantizer,
                                double time_s)
{
    struct cell *cell = add(bench, &cell_kind_prepare, "prepare");
    cell->kernel = of;
    prepare_cell(cell)->quantizer = quantizer;
    prepare_cell(cell)->k = gemv_cell(&bench->cells.cell[0])->k;
    give_many(&cell->samples, kept_sample(time_s, CLOCK_HZ), 6);
    return cell;
}

static void prepare_nothing(const void *activations, size_t k, void *prepared)
{
    (void)activations, (void)k, (void)prepared;
}

TEST_GIVEN_BY(preparation_is_that_of_what_the_kernel_takes, struct bench *bench, open_bench, close_bench)
{
    static const struct quantizer quantizer = {.name = "per_tensor.avx2", .isa = "avx2"};
    struct kernel tables = kernel, floats = kernel, blocks = kernel;
    tables.prepare = blocks.prepare = prepare_nothing;
    floats.takes = blocks.takes = KERNEL_TAKES_F32;
    struct cell *cell = add_gemv(bench, true, 16e-6, 2e10);
    assert_true(isnan(prepare_time(&bench->cells, cell->kernel, gemv_cell(cell)->k)));
    prepare_cell(add_prepare(bench, NULL, &quantizer, 2e-6))->bf16 = true;
    prepare_cell(add_prepare(bench, NULL, &quantizer, 3e-6))->k++;
    assert_true(isnan(prepare_time(&bench->cells, cell->kernel, gemv_cell(cell)->k)));
    add_prepare(bench, NULL, &quantizer, 4e-6);
    assert_near(prepare_time(&bench->cells, cell->kernel, gemv_cell(cell)->k), 4e-6);
    json_t *record = record_of(bench, cell);
    assert_near(field_number(record, "prepare_s"), 4e-6);
    assert_near(field_number(record, "prepare_share"), 0.25);
    json_decref(record);

    cell->kernel = &tables;
    add_prepare(bench, &tables, NULL, 5e-6);
    assert_true(isnan(prepare_time(&bench->cells, cell->kernel, gemv_cell(cell)->k))); /* tables alone */
    add_prepare(bench, &tables, &quantizer, 6e-6);
    assert_near(prepare_time(&bench->cells, cell->kernel, gemv_cell(cell)->k), 6e-6);
    cell->kernel = &blocks;
    assert_true(isnan(prepare_time(&bench->cells, cell->kernel, gemv_cell(cell)->k)));
    add_prepare(bench, &blocks, NULL, 7e-6);
    assert_near(prepare_time(&bench->cells, cell->kernel, gemv_cell(cell)->k), 7e-6);
    cell->kernel = &floats;
    assert_true(prepare_time(&bench->cells, cell->kernel, gemv_cell(cell)->k) == 0);

    /* with an order its copy is the operand, and without that no operand */
    struct format in_order = *kernel.format;
    in_order.order_columns = in_order.k_per_step;
    floats.format = blocks.format = &in_order;
    assert_true(isnan(prepare_time(&bench->cells, cell->kernel, gemv_cell(cell)->k)));
    add_prepare(bench, &floats, NULL, 8e-6);
    assert_near(prepare_time(&bench->cells, cell->kernel, gemv_cell(cell)->k), 8e-6);
    cell->kernel = &blocks;
    struct cell *alone = add_prepare(bench, &blocks, NULL, 6e-6);
    prepare_cell(alone)->unordered = true;
    assert_near(prepare_time(&bench->cells, cell->kernel, gemv_cell(cell)->k), 7e-6);
    record = record_of(bench, alone);
    assert_string_equal(json_string_value(json_object_get(record, "name")), "unordered");
    json_decref(record);
    cell->kernel = &kernel;
}

RUN_TESTS(NULL, NULL)
