/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <sched.h>
#include <string.h>

#include "harness/cells/cell/testing.h"
#include "harness/measure/session_pool.h"
#include "harness/record/run_writer.h"
#include "unit_test.h"

static int open_bench(void **state)
{
    char why[SESSION_WHY];
    struct session_request request = {.seed = 1};
    if (session_open(&request, (struct session **)state, why, sizeof why) != 0)
        fail_msg("%s", why);
    return 0;
}

static int close_bench(void **state)
{
    session_close(*state);
    return 0;
}

struct kept {
    json_t *records;
    int error;
};

static int keep(void *context, json_t *record)
{
    struct kept *kept = context;
    assert_non_null(record);
    json_array_append_new(kept->records, record);
    return kept->error;
}

TEST_GIVEN(each_kind_of_core_has_its_clock, struct session *session)
{
    struct kept kept = {.records = json_array()};
    cpu_set_t before, after;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    assert_int_equal(clock_records(session, keep, &kept), 0);
    assert_int_equal(sched_getaffinity(0, sizeof after, &after), 0);
    assert_true(CPU_EQUAL(&before, &after));
    assert_int_equal(json_array_size(kept.records), topology_kind_count(session->machine.topology));
    for (size_t i = 0; i < json_array_size(kept.records); i++) {
        const json_t *record = json_array_get(kept.records, i);
        assert_string_equal(field_text(record, "type"), "clock");
        assert_true(field_median(record, "core_hz") > 1e8 && field_median(record, "core_hz") < 1e10);
        assert_true(field_number(record, "issue_width") > 1);
        assert_true(field_number(record, "tsc_step") >= 1);
        assert_true(field_number(record, "multiply_cycles") >= 2);
        bool agrees = json_is_null(json_object_get(record, "disagreement"));
        assert_string_equal(field_grade(record, "core_hz"), agrees ? "chain" : "wall");
        for (size_t former = 0; former < i; former++)
            assert_string_not_equal(field_text(record, "kind"),
                                    field_text(json_array_get(kept.records, former), "kind"));
    }
    json_decref(kept.records);
}

TEST(a_record_that_cannot_be_kept_ends_it)
{
    struct kept kept = {.records = json_array(), .error = -ENOSPC};
    assert_int_equal(clock_records(*state, keep, &kept), -ENOSPC);
    assert_int_equal(json_array_size(kept.records), 1);
    json_decref(kept.records);
}

TEST_GIVEN(the_pool_of_a_member_says_where_it_lies, struct session *session)
{
    char why[SESSION_WHY];
    assert_int_equal(session_pool(session, 1, 4 << 20, why, sizeof why), 0);
    json_auto_t *record = memory_record(session, 0);
    assert_string_equal(field_text(record, "type"), "memory");
    assert_int_equal(field_number(record, "cpu"), session->cpus[0]);
    assert_true(field_number(record, "bytes") >= 4 << 20);
    assert_string_equal(field_text(record, "pages"), memory_pages_name(session->pool[0].pages));
    const json_t *ok = json_object_get(record, "node_ok");
    assert_true(json_is_true(ok) || (json_is_null(ok) && json_object_get(record, "node_ok_reason")));
    double huge = field_number(record, "huge_page_fraction");
    assert_true(huge >= 0 && huge <= 1);
}

RUN_TESTS(open_bench, close_bench)
