/* SPDX-License-Identifier: BSD-3-Clause */

#include "harness/cells/dequantize/dequantize.h"
#include "harness/cells/on_paper.h"
#include "unit_test.h"

static const struct quantizer quantizer = {.name = "per_tensor.avx2", .isa = "avx2"};

static struct cell *add_rows(struct bench *bench, bool bf16, size_t m, double time_s)
{
    struct cell *cell = add(bench, &cell_kind_dequantize, "dequantize");
    *dequantize_cell(cell) = (struct dequantize_cell){.quantizer = &quantizer, .bf16 = bf16, .m = m};
    give_many(&cell->samples, kept_sample(time_s, CLOCK_HZ), 6);
    return cell;
}

TEST_GIVEN_BY(rows_have_a_record_of_their_own, struct bench *bench, open_bench, close_bench)
{
    json_auto_t *record = record_of(bench, add_rows(bench, true, 2048, 3e-6));
    assert_string_equal(field_text(record, "type"), "dequantize");
    assert_string_equal(field_text(record, "name"), "rows.bf16");
    assert_string_equal(field_text(record, "quantizer"), "per_tensor.avx2");
    assert_near(field_number(record, "m"), 2048);
    assert_near(field_median(record, "time_s"), 3e-6);
}

/** Of as many rows, to f32; not of a kernel that gives floats, and nothing is said where nothing was measured. */
TEST_GIVEN_BY(a_gemv_has_the_step_of_its_rows, struct bench *bench, open_bench, close_bench)
{
    struct cell *cell = add_gemv(bench, true, 16e-6, 2e10);
    const size_t m = gemv_cell(cell)->m;
    add_rows(bench, true, m, 1e-6);
    add_rows(bench, false, m + 1, 1e-6);
    add(bench, &cell_kind_dequantize, "no samples");
    json_t *record = record_of(bench, cell);
    assert_null(json_object_get(record, "dequantize_s"));
    assert_null(json_object_get(record, "dequantize_share"));
    json_decref(record);
    const struct cell *rows = add_rows(bench, false, m, 4e-6);
    assert_ptr_equal(dequantize_find(&bench->cells, cell->kernel, m), rows);
    record = record_of(bench, cell);
    assert_near(field_number(record, "dequantize_s"), 4e-6);
    assert_near(field_number(record, "dequantize_share"), 0.25);
    json_decref(record);

    struct kernel floats = kernel;
    floats.gives = KERNEL_GIVES_F32;
    assert_null(dequantize_find(&bench->cells, &floats, m));
}

TEST_GIVEN_BY(it_is_added_once_and_not_after_floats, struct bench *bench, open_bench, close_bench)
{
    struct kernel floats = kernel;
    floats.gives = KERNEL_GIVES_F32;
    assert_int_equal(dequantize_add(&bench->cells, &bench->session, &floats, 96), 0);
    assert_int_equal(bench->cells.count, 0);
    for (unsigned twice = 0; twice < 2; twice++) {
        assert_int_equal(dequantize_add(&bench->cells, &bench->session, &kernel, 96), 0);
        assert_int_equal(bench->cells.count, 2);
    }
    assert_true(dequantize_cell(&bench->cells.cell[1])->bf16 && !dequantize_cell(&bench->cells.cell[0])->bf16);
    assert_null(dequantize_cell(add(bench, &cell_kind_sync, "another")));
}

RUN_TESTS(NULL, NULL)
