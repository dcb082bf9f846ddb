/* SPDX-License-Identifier: BSD-3-Clause */

#include "harness/cells/on_paper.h"
#include "harness/cells/read/read.h"
#include "unit_test.h"

/** Of this many samples, 1 us and as much of the roof as its bandwidth is of this. */
static struct cell *add_read(struct bench *bench, size_t bytes, unsigned samples, double roof_bytes_per_s)
{
    assert_int_equal(read_add(&bench->cells, bytes, 2), 0);
    struct cell *cell = &bench->cells.cell[bench->cells.count - 1];
    cell->roof_bytes = 4 << 20;
    for (unsigned i = 0; i < samples; i++) {
        give(&cell->roof, kept_sample((4 << 20) / roof_bytes_per_s, CLOCK_HZ));
        give(&cell->samples, kept_sample(1e-6, CLOCK_HZ));
    }
    return cell;
}

TEST_GIVEN_BY(a_read_has_a_record_of_its_own, struct bench *bench, open_bench, close_bench)
{
    json_auto_t *record = record_of(bench, add_read(bench, 20000, 8, 4e10));
    assert_string_equal(field_text(record, "type"), "read");
    assert_near(field_number(record, "bytes"), 20000);
    assert_near(field_number(record, "threads"), 2);
    assert_near(field_median(record, "time_s"), 1e-6);
    assert_near(field_median(record, "bytes_per_s"), 2e10);
    assert_near(field_median(record, "roof_fraction"), 0.5);
}

/** Of as many bytes with the same team, cold; nothing is said where nothing was measured, and null of too few samples. */
TEST_GIVEN_BY(a_cold_gemv_is_held_against_the_read_of_its_bytes, struct bench *bench, open_bench, close_bench)
{
    struct cell *cold = add_gemv(bench, true, 16e-6, 2e10);
    const size_t bytes = (size_t)product_packed_bytes(cold);
    add_read(bench, bytes + 64, 8, 4e11);
    add_read(bench, bytes, 0, 1);
    json_auto_t *record = record_of(bench, cold);
    assert_null(json_object_get(record, "read_s"));
    assert_null(json_object_get(record, "read_roof_fraction"));
    json_decref(record);

    cells_release(&bench->cells);
    cold = add_gemv(bench, true, 16e-6, 2e10);
    add_read(bench, bytes, 5, 4e11);
    record = record_of(bench, cold);
    assert_true(json_is_null(json_object_get(record, "read_s")));
    assert_string_equal(field_text(record, "read_roof_fraction_reason"), "too few samples were kept");
    json_decref(record);

    cells_release(&bench->cells);
    cold = add_gemv(bench, true, 16e-6, 2e10);
    const struct cell *warm = add_gemv(bench, false, 8e-6, 1);
    add_read(bench, bytes, 8, 4e11);
    record = record_of(bench, cold);
    assert_near(field_number(record, "read_s"), 1e-6);
    assert_near(field_number(record, "read_roof_fraction"), (double)bytes / 1e-6 / 4e11);
    json_decref(record);
    record = record_of(bench, warm);
    assert_null(json_object_get(record, "read_s"));
}

TEST_GIVEN_BY(it_is_added_once_a_team, struct bench *bench, open_bench, close_bench)
{
    assert_int_equal(read_add(&bench->cells, 4096, 1), 0);
    assert_int_equal(read_add(&bench->cells, 4096, 1), 0);
    assert_int_equal(bench->cells.count, 1);
    assert_int_equal(read_add(&bench->cells, 4096, 2), 0);
    assert_int_equal(read_add(&bench->cells, 4160, 1), 0);
    assert_int_equal(bench->cells.count, 3);
    assert_null(read_find(&bench->cells, 4096, 1)); /* without samples */
}

RUN_TESTS(NULL, NULL)
