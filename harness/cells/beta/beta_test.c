/* SPDX-License-Identifier: BSD-3-Clause */

#include "harness/cells/on_paper.h"
#include "unit_test.h"

TEST_GIVEN_BY(beta_is_bytes_per_cycle_of_each_core, struct bench *bench, open_bench, close_bench)
{
    struct cell *cell = add_beta(bench, "memory", "beta/memory/t2/read.avx2.s4", 2e10, 8);
    cell->samples.sample[7].cause = SAMPLE_PAGE_FAULT;
    json_auto_t *record = record_of(bench, cell);
    static const char *const fields[] = {"type",       "name",    "level",       "threads",
                                         "cpus",       "stream",  "bytes_per_s", "bytes_per_cycle_per_core",
                                         "load_bytes", "streams", "prefetch",    "prefetch_bytes",
                                         "roof",       NULL};
    assert_fields(record, fields);
    assert_near(field_median(record, "bytes_per_s"), 2e10);
    assert_near(field_median(record, "bytes_per_cycle_per_core"), 10);
    assert_string_equal(field_grade(record, "bytes_per_s"), "wall");
    assert_string_equal(field_grade(record, "bytes_per_cycle_per_core"), "chain");
    assert_near(field_number(json_object_get(record, "bytes_per_s"), "n"), 7);
    assert_near(field_number(json_object_get(record, "bytes_per_s"), "rejected"), 1);
    assert_int_equal(json_array_size(json_object_get(record, "cpus")), 2);
    assert_int_equal(json_integer_value(json_array_get(json_object_get(record, "cpus"), 1)), 5);
    assert_string_equal(field_text(record, "stream"), "read.avx2.s4.r256");
    assert_flag(record, "roof", true);
}

TEST_GIVEN_BY(beta_is_of_the_roof_and_never_of_the_search, struct bench *bench, open_bench, close_bench)
{
    struct cell *lucky = add_beta(bench, "memory", "beta/memory/t2/read.avx2.s1", 9e10, 30);
    beta_cell(lucky)->roof = false;
    assert_null(beta_roof(&bench->cells, "memory", 2)); /* planned or not: nothing was read after a choice */
    assert_null(beta_roof_cell(&bench->cells, "memory", 2));
    struct cell *roof = add_beta(bench, "memory", "beta/memory/t2/roof", 2e10, 8);
    add_beta(bench, "L2", "beta/L2/t2/roof", 8e10, 26);
    assert_ptr_equal(beta_roof(&bench->cells, "memory", 2), roof);
    assert_null(beta_roof(&bench->cells, "memory", 1));
    assert_null(beta_roof(&bench->cells, "L1", 2));
    for (size_t i = 0; i < roof->samples.count; i++)
        roof->samples.sample[i].cause = SAMPLE_INTERRUPT;
    assert_null(beta_roof(&bench->cells, "memory", 2));
    assert_ptr_equal(beta_roof_cell(&bench->cells, "memory", 2), roof);

    json_auto_t *record = record_of(bench, lucky);
    assert_flag(record, "search", true);
    assert_flag(record, "roof", false);
    assert_string_equal(field_text(record, "name"), "read.avx2.s4.r256");
    json_decref(record);
    record = record_of(bench, roof);
    assert_flag(record, "search", false);
    assert_string_equal(field_text(record, "name"), "roof");
    assert_string_equal(field_text(record, "stream"), "read.avx2.s4.r256");
}

/** A record of type "cell", as a run keeps it. */
static json_t *described(const struct cell *cell)
{
    json_t *record = json_pack("{s:s, s:s}", "type", "cell", "name", cell->name);
    cell_kind_beta.describe(cell, record);
    return record;
}

TEST_GIVEN_BY(the_chosen_stream_comes_back_from_the_run, struct bench *bench, open_bench, close_bench)
{
    assert_int_equal(beta_add_roof(&bench->cells, &bench->session, "memory", 2), 0);
    struct cell *roof = beta_roof_cell(&bench->cells, "memory", 2);
    struct session_stream chosen;
    assert_true(cell_kind_beta.lacks_choice(roof));
    assert_true(session_stream_at(3, &chosen));
    beta_cell(roof)->stream = chosen;
    json_auto_t *record = described(roof);
    beta_cell(roof)->stream = (struct session_stream){0};
    cell_kind_beta.restore(roof, record);
    assert_false(cell_kind_beta.lacks_choice(roof));
    assert_int_equal(session_stream_id(&beta_cell(roof)->stream), session_stream_id(&chosen));

    /* a stream that this version does not have, and samples of another size: chosen anew */
    json_auto_t *other = json_deep_copy(record);
    json_object_set_new(other, "stream", json_string("read.abacus.s1.r64"));
    cell_kind_beta.restore(roof, other);
    assert_true(cell_kind_beta.lacks_choice(roof));
    json_object_set(other, "stream", json_object_get(record, "stream"));
    json_object_set_new(other, "bytes", json_integer(12345));
    cell_kind_beta.restore(roof, other);
    assert_true(cell_kind_beta.lacks_choice(roof));
    json_object_del(other, "bytes");
    cell_kind_beta.restore(roof, other);
    assert_true(cell_kind_beta.lacks_choice(roof));
}

RUN_TESTS(NULL, NULL)
