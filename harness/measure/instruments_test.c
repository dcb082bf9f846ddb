/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/measure/instruments.h"
#include "platforms/counters/backends.h"
#include "unit_test.h"

static struct counters_probe probes[COUNTERS_BACKENDS];

/* What was chosen last, or why nothing was. */
static counter_set in_sample;
static char why[512];

/** The probe of a back end. */
static struct counters_probe *of(const char *name)
{
    for (size_t b = 0; b < COUNTERS_BACKENDS; b++) {
        if (strcmp(probes[b].backend->name, name) == 0)
            return &probes[b];
    }
    fail_msg("no back end %s", name);
    return NULL;
}

/** No back end works, each with a cause; the tests let some work. */
static void nothing_works(void)
{
    memset(probes, 0, sizeof probes);
    for (size_t b = 0; b < COUNTERS_BACKENDS; b++) {
        probes[b].backend = counters_backend(b);
        snprintf(probes[b].reason.cause, COUNTERS_TEXT, "%s is broken", counters_backend(b)->name);
        snprintf(probes[b].reason.remedy, COUNTERS_TEXT, "repair it");
        for (int q = 0; q < COUNTER_QUANTITIES; q++)
            probes[b].of[q].reason = probes[b].reason;
    }
}

static void let(struct counters_probe *probe, enum counter_quantity quantity, enum counter_grade grade,
                bool system_call)
{
    probe->works = true;
    probe->reason = (struct counters_reason){0};
    probe->of[quantity] = (struct counters_support){.grade = grade, .system_call = system_call};
}

static int choose(const char *name)
{
    static struct instruments instruments;
    memset(&instruments, 0, sizeof instruments);
    memcpy(instruments.probes, probes, sizeof probes);
    int error = instruments_choose(name, &instruments, why, sizeof why);
    in_sample = instruments.in_sample | instruments.around_sample;
    return error;
}

TEST(auto_counts_what_rdpmc_gives)
{
    nothing_works();
    let(of("perf"), COUNTER_CORE_CYCLES, COUNTER_MEASURED, false);
    let(of("perf"), COUNTER_INSTRUCTIONS, COUNTER_MEASURED, true); /* only by read() */
    let(of("tsc"), COUNTER_CORE_CYCLES, COUNTER_ESTIMATED, false);
    assert_int_equal(choose("auto"), 0);
    assert_int_equal(in_sample, COUNTER_SET(COUNTER_CORE_CYCLES));
    assert_int_equal(choose("perf"), 0);
    assert_int_equal(in_sample, COUNTER_SET(COUNTER_CORE_CYCLES));
}

TEST(the_machine_is_counted_with_system_calls_too)
{
    nothing_works();
    let(of("perf"), COUNTER_PACKAGE_ENERGY_J, COUNTER_MEASURED, true);
    let(of("tsc"), COUNTER_CORE_CYCLES, COUNTER_ESTIMATED, false);
    assert_int_equal(choose("auto"), 0);
    assert_int_equal(in_sample, COUNTER_SET(COUNTER_PACKAGE_ENERGY_J));
    assert_int_equal(choose("tsc"), 0); /* by name: that one alone */
    assert_int_equal(in_sample, 0);
}

/** likwid writes the registers that the kernel's perf events count in, and other processes of ours. */
TEST(a_back_end_that_programs_cores_wants_to_be_asked)
{
    nothing_works();
    let(of("likwid"), COUNTER_DRAM_READ_BYTES, COUNTER_MEASURED, true);
    let(of("likwid"), COUNTER_CORE_CYCLES, COUNTER_MEASURED, true);
    assert_int_equal(choose("auto"), 0);
    assert_int_equal(in_sample, 0);
    assert_int_equal(choose("likwid"), 0);
    assert_int_equal(in_sample, COUNTER_SET(COUNTER_DRAM_READ_BYTES)); /* beside the chain clock */
}

TEST(auto_needs_no_counter_at_all)
{
    nothing_works();
    assert_int_equal(choose("auto"), 0);
    assert_int_equal(in_sample, 0);
    let(of("tsc"), COUNTER_REFERENCE_CYCLES, COUNTER_ESTIMATED, false);
    assert_int_equal(choose("auto"), 0);
    assert_int_equal(in_sample, 0);
}

TEST(tsc_by_name_leaves_the_chain_clock)
{
    nothing_works();
    let(of("perf"), COUNTER_CORE_CYCLES, COUNTER_MEASURED, false);
    let(of("tsc"), COUNTER_REFERENCE_CYCLES, COUNTER_ESTIMATED, false); /* its chain was disturbed */
    assert_int_equal(choose("tsc"), 0);
    assert_int_equal(in_sample, 0);
}

TEST(a_named_back_end_that_is_broken_is_not_replaced)
{
    nothing_works();
    let(of("perf"), COUNTER_CORE_CYCLES, COUNTER_MEASURED, false);
    assert_int_equal(choose("likwid"), -ENOTSUP);
    assert_string_equal(why, "counters 'likwid' do not work here: likwid is broken; repair it");
    assert_int_equal(choose("abacus"), -EINVAL);
    assert_non_null(strstr(why, "choose auto, "));
    for (size_t b = 0; b < COUNTERS_BACKENDS; b++)
        assert_non_null(strstr(why, counters_backend(b)->name));
}

TEST(a_named_back_end_that_needs_system_calls_cannot_time_a_sample)
{
    nothing_works();
    let(of("papi"), COUNTER_CORE_CYCLES, COUNTER_MEASURED, true);
    assert_int_equal(choose("papi"), -ENOTSUP);
    assert_non_null(strstr(why, "counters 'papi' cannot serve as the clock of a sample"));
    assert_non_null(strstr(why, "system call"));
    assert_non_null(strstr(why, "choose auto"));
    assert_int_equal(choose("auto"), 0);
    assert_int_equal(in_sample, 0);
}

TEST(a_record_tells_cause_and_remedy_of_each_quantity)
{
    nothing_works();
    let(of("perf"), COUNTER_CORE_CYCLES, COUNTER_MEASURED, false);
    json_auto_t *record = instruments_probe_record(of("perf"));
    const json_t *quantities = json_object_get(record, "quantities");
    const json_t *cycles = json_object_get(quantities, "core_cycles");
    const json_t *energy = json_object_get(quantities, "package_energy_j");
    assert_string_equal(json_string_value(json_object_get(record, "type")), "counters");
    assert_true(json_is_true(json_object_get(record, "works")));
    assert_true(json_is_null(json_object_get(record, "cause")));
    assert_int_equal(json_object_size(quantities), COUNTER_QUANTITIES);
    assert_string_equal(json_string_value(json_object_get(cycles, "grade")), "measured");
    assert_true(json_is_null(json_object_get(cycles, "cause")));
    assert_string_equal(json_string_value(json_object_get(energy, "grade")), "unavailable");
    assert_string_equal(json_string_value(json_object_get(energy, "cause")), "perf is broken");
    assert_string_equal(json_string_value(json_object_get(energy, "remedy")), "repair it");
}

RUN_TESTS(NULL, NULL)
