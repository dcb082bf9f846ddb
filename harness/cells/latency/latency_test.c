/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>

#include "harness/cells/latency/latency.h"
#include "harness/cells/on_paper.h"
#include "harness/measure/session_level.h"
#include "unit_test.h"

static struct cell *only(struct bench *bench)
{
    assert_int_equal(bench->cells.count, 1);
    return &bench->cells.cell[0];
}

TEST_GIVEN_BY(a_level_is_chased_through_as_much_as_its_beta_is_read_from, struct bench *bench, open_bench, close_bench)
{
    for (size_t i = 0; i < SESSION_LEVELS; i++)
        assert_int_equal(latency_add(&bench->cells, &bench->session, session_levels[i]), 0);
    for (size_t i = 0; i < SESSION_LEVELS; i++) {
        const struct cell *cell = &bench->cells.cell[i];
        const struct latency_cell *own = latency_cell(cell);
        assert_int_equal(own->bytes % 64, 0);
        assert_int_equal(cell->repeats % 8, 0);
        assert_int_equal(cell->threads, 1);
        assert_false(own->loaded || cell->beside_roof);
        if (i > 0)
            assert_int_equal(own->bytes, session_cache_bytes(&bench->session, own->level, 1));
    }
    assert_true(latency_cell(&bench->cells.cell[0])->bytes > 4 * latency_cell(&bench->cells.cell[1])->bytes);
}

TEST_GIVEN_BY(latency_is_the_time_of_a_hop, struct bench *bench, open_bench, close_bench)
{
    assert_int_equal(latency_add(&bench->cells, &bench->session, "L2"), 0);
    struct cell *cell = only(bench);
    give_many(&cell->samples, kept_sample(cell->repeats * 5e-9, 3e9), 8);
    cell->samples.sample[3].cause = SAMPLE_INTERRUPT;
    json_auto_t *record = record_of(bench, cell);
    assert_string_equal(field_text(record, "type"), "latency");
    assert_string_equal(field_text(record, "name"), "L2/idle");
    assert_string_equal(field_text(record, "level"), "L2");
    assert_near(field_median(record, "latency_s"), 5e-9);
    assert_near(field_median(record, "latency_cycles"), 15);
    assert_string_equal(field_grade(record, "latency_cycles"), "chain");
    assert_near(field_number(json_object_get(record, "latency_s"), "n"), 7);
    assert_near(field_number(record, "readers"), 0);
    assert_null_field(record, "pause");
    assert_null_field(record, "load_bytes_per_s");
    assert_null_field(record, "huge_fraction");
}

TEST_GIVEN_BY(a_loaded_latency_stands_beside_what_the_readers_attain, struct bench *bench, open_bench, close_bench)
{
    assert_int_equal(latency_add_loaded(&bench->cells, &bench->session, 3), 0);
    assert_true(bench->cells.count >= 4);
    for (size_t i = 1; i < bench->cells.count; i++)
        assert_true(latency_cell(&bench->cells.cell[i])->pause > latency_cell(&bench->cells.cell[i - 1])->pause);
    struct cell *cell = &bench->cells.cell[1];
    for (int i = 0; i < 7; i++) {
        give(&cell->roof, kept_sample((double)cell->roof_bytes / 3e10, 3e9));
        give(&cell->samples, kept_sample(cell->repeats * 2e-7, 3e9));
    }
    json_t *record = record_of(bench, cell);
    assert_near(field_median(record, "latency_s"), 2e-7);
    assert_near(field_median(record, "load_bytes_per_s"), 3e10);
    assert_near(field_number(record, "readers"), 2);
    assert_near(field_number(record, "pause"), latency_cell(cell)->pause);
    json_decref(record);
    assert_int_equal(cell_kept(cell), 7);
    cell->roof.sample[0].cause = SAMPLE_CLOCK_DRIFT;
    assert_int_equal(cell_kept(cell), 6);
}

TEST_GIVEN_BY(one_thread_has_no_readers, struct bench *bench, open_bench, close_bench)
{
    assert_int_equal(latency_add_loaded(&bench->cells, &bench->session, 1), -EINVAL);
    assert_int_equal(bench->cells.count, 0);
}

TEST_GIVEN_BY(huge_pages_come_back_from_a_record, struct bench *bench, open_bench, close_bench)
{
    assert_int_equal(latency_add(&bench->cells, &bench->session, "L3"), 0);
    struct cell *cell = only(bench);
    json_auto_t *record = json_object();
    latency_cell(cell)->huge_fraction = 0.75;
    cell->kind->describe(cell, record);
    latency_cell(cell)->huge_fraction = 0;
    cell->kind->restore(cell, record);
    assert_near(latency_cell(cell)->huge_fraction, 0.75);
    json_object_clear(record);
    cell->kind->restore(cell, record);
    assert_true(isnan(latency_cell(cell)->huge_fraction));
}

RUN_TESTS(NULL, NULL)
