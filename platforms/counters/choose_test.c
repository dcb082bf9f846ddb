/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "platforms/counters/backends.h"
#include "platforms/counters/counters.h"
#include "platforms/counters/reason.h"
#include "unit_test.h"

static const struct counters_backend *const backends[] = {&counters_backend_perf, &counters_backend_papi,
                                                          &counters_backend_likwid, &counters_backend_tsc};
enum { BACKENDS = sizeof backends / sizeof *backends };

/* Nothing works, each for its own reason. */
static int set_up(void **state)
{
    static struct counters_probe probes[BACKENDS];
    for (size_t b = 0; b < BACKENDS; b++) {
        probe_clear(&probes[b], backends[b]);
        reason_cause(&probes[b].reason, "cause of %s", backends[b]->name);
        reason_remedy(&probes[b].reason, "remedy of %s", backends[b]->name);
        probe_fail(&probes[b], &probes[b].reason, COUNTER_SET_ALL);
    }
    *state = probes;
    return 0;
}

static void allow(struct counters_probe *probe, enum counter_quantity quantity, enum counter_grade grade,
                  bool system_call)
{
    probe->works = true;
    probe->of[quantity] = (struct counters_support){.grade = grade, .system_call = system_call};
}

TEST_GIVEN_BY(auto_decides_per_quantity, struct counters_probe *probes, set_up, NULL)
{
    struct counters_plan plan;
    char why[COUNTERS_TEXT];
    allow(&probes[3], COUNTER_CORE_CYCLES, COUNTER_ESTIMATED, false);
    allow(&probes[3], COUNTER_REFERENCE_CYCLES, COUNTER_ESTIMATED, false);
    allow(&probes[2], COUNTER_DRAM_READ_BYTES, COUNTER_MEASURED, true);
    allow(&probes[1], COUNTER_CORE_CYCLES, COUNTER_MEASURED, true);
    allow(&probes[0], COUNTER_CORE_CYCLES, COUNTER_MEASURED, false);
    assert_int_equal(counters_choose("auto", true, probes, BACKENDS, &plan, why, sizeof why), 0);
    assert_string_equal(why, "");
    assert_ptr_equal(plan.of[COUNTER_CORE_CYCLES].backend, &counters_backend_perf); /* first among equals */
    assert_int_equal(plan.of[COUNTER_CORE_CYCLES].grade, COUNTER_MEASURED);
    assert_ptr_equal(plan.of[COUNTER_REFERENCE_CYCLES].backend, &counters_backend_tsc);
    assert_int_equal(plan.of[COUNTER_REFERENCE_CYCLES].grade, COUNTER_ESTIMATED);
    assert_ptr_equal(plan.of[COUNTER_DRAM_READ_BYTES].backend, &counters_backend_likwid);
    assert_null(plan.of[COUNTER_INSTRUCTIONS].backend);
    assert_string_equal(plan.of[COUNTER_INSTRUCTIONS].reason, "cause of perf; remedy of perf");
}

TEST_GIVEN_BY(measured_beats_estimated_whatever_the_order, struct counters_probe *probes, set_up, NULL)
{
    struct counters_plan plan;
    char why[COUNTERS_TEXT];
    allow(&probes[0], COUNTER_CORE_CYCLES, COUNTER_ESTIMATED, false);
    allow(&probes[2], COUNTER_CORE_CYCLES, COUNTER_MEASURED, true);
    assert_int_equal(counters_choose("auto", true, probes, BACKENDS, &plan, why, sizeof why), 0);
    assert_ptr_equal(plan.of[COUNTER_CORE_CYCLES].backend, &counters_backend_likwid);
}

TEST_GIVEN_BY(without_system_calls_auto_falls_back_to_an_estimate, struct counters_probe *probes, set_up, NULL)
{
    struct counters_plan plan;
    char why[COUNTERS_TEXT];
    allow(&probes[0], COUNTER_CORE_CYCLES, COUNTER_MEASURED, true);
    allow(&probes[0], COUNTER_INSTRUCTIONS, COUNTER_MEASURED, true);
    allow(&probes[3], COUNTER_CORE_CYCLES, COUNTER_ESTIMATED, false);
    assert_int_equal(counters_choose("auto", false, probes, BACKENDS, &plan, why, sizeof why), 0);
    assert_ptr_equal(plan.of[COUNTER_CORE_CYCLES].backend, &counters_backend_tsc);
    assert_null(plan.of[COUNTER_INSTRUCTIONS].backend);
    assert_string_equal(plan.of[COUNTER_INSTRUCTIONS].reason,
                        "perf reads it with a system call, which is not made around this sample");
}

TEST_GIVEN_BY(auto_with_nothing_is_no_error, struct counters_probe *probes, set_up, NULL)
{
    struct counters_plan plan;
    char why[COUNTERS_TEXT];
    assert_int_equal(counters_choose("auto", true, probes, BACKENDS, &plan, why, sizeof why), 0);
    for (int q = 0; q < COUNTER_QUANTITIES; q++) {
        assert_null(plan.of[q].backend);
        assert_int_equal(plan.of[q].grade, COUNTER_UNAVAILABLE);
        assert_true(plan.of[q].reason[0]);
    }
}

TEST_GIVEN_BY(a_named_back_end_is_never_replaced, struct counters_probe *probes, set_up, NULL)
{
    struct counters_plan plan;
    char why[COUNTERS_TEXT];
    allow(&probes[0], COUNTER_CORE_CYCLES, COUNTER_MEASURED, false);
    allow(&probes[0], COUNTER_INSTRUCTIONS, COUNTER_MEASURED, false);
    allow(&probes[3], COUNTER_CORE_CYCLES, COUNTER_ESTIMATED, false);
    assert_int_equal(counters_choose("tsc", true, probes, BACKENDS, &plan, why, sizeof why), 0);
    assert_ptr_equal(plan.of[COUNTER_CORE_CYCLES].backend, &counters_backend_tsc);
    assert_null(plan.of[COUNTER_INSTRUCTIONS].backend); /* perf could, but was not asked */
    assert_string_equal(plan.of[COUNTER_INSTRUCTIONS].reason, "cause of tsc; remedy of tsc");
}

TEST_GIVEN_BY(a_named_back_end_that_does_not_work_is_an_error, struct counters_probe *probes, set_up, NULL)
{
    struct counters_plan plan;
    char why[COUNTERS_TEXT];
    allow(&probes[3], COUNTER_CORE_CYCLES, COUNTER_ESTIMATED, false);
    for (size_t b = 0; b < 3; b++) {
        char expected[COUNTERS_TEXT];
        const char *name = backends[b]->name;
        snprintf(expected, sizeof expected, "counters '%s' do not work here: cause of %s; remedy of %s", name, name,
                 name);
        assert_int_equal(counters_choose(name, true, probes, BACKENDS, &plan, why, sizeof why), -ENOTSUP);
        assert_string_equal(why, expected);
        for (int q = 0; q < COUNTER_QUANTITIES; q++)
            assert_null(plan.of[q].backend);
    }
}

TEST_GIVEN_BY(an_unknown_name_lists_the_known_ones, struct counters_probe *probes, set_up, NULL)
{
    struct counters_plan plan;
    char why[COUNTERS_TEXT], little[20];
    assert_int_equal(counters_choose("pmu", true, probes, BACKENDS, &plan, why, sizeof why), -EINVAL);
    assert_string_equal(why, "no counters 'pmu': choose auto, perf, papi, likwid, tsc");
    assert_int_equal(counters_choose("", true, probes, BACKENDS, &plan, little, sizeof little), -EINVAL);
    assert_int_equal(strlen(little), sizeof little - 1); /* cut, terminated */
}

RUN_TESTS(NULL, NULL)
