/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "harness/cells/on_paper.h"

static void beta_is_bytes_per_cycle_of_each_core(void **state)
{
    struct bench *bench = *state;
    struct cell *cell = add_beta(bench, "memory", "beta/memory/t2/read.avx2.s4", 2e10, 8);
    cell->samples.sample[7].cause = SAMPLE_PAGE_FAULT;
    json_t *record = record_of(bench, cell);
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
    assert_string_equal(field_text(record, "stream"), "read.avx2.s4");
    assert_flag(record, "roof", true);
    json_decref(record);
}

static void the_roof_is_not_a_stream_that_was_dropped_early(void **state)
{
    struct bench *bench = *state;
    struct cell *lucky = add_beta(bench, "memory", "beta/memory/t2/read.avx2.s1", 9e10, 3);
    struct cell *steady = add_beta(bench, "memory", "beta/memory/t2/read.avx2.s4", 2e10, 26);
    add_beta(bench, "memory", "beta/memory/t2/read.avx2.s8", 1e10, 26);
    add_beta(bench, "L2", "beta/L2/t2/read.avx2.s8", 8e10, 26);
    assert_ptr_equal(beta_roof(&bench->cells, "memory", 2), steady);
    assert_null(beta_roof(&bench->cells, "memory", 1));
    assert_null(beta_roof(&bench->cells, "L1", 2));
    give_many(&lucky->samples, kept_sample(2.0 * (1 << 20) / 9e10, CLOCK_HZ), 23);
    assert_ptr_equal(beta_roof(&bench->cells, "memory", 2), lucky);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, open_bench, close_bench)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(beta_is_bytes_per_cycle_of_each_core),
        CASE(the_roof_is_not_a_stream_that_was_dropped_early),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
