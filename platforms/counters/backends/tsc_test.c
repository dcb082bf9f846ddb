/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "platforms/counters/backends.h"
#include "platforms/counters/counters.h"
#include "platforms/counters/fake_system.h"

static const struct counters_backend *const tsc = &counters_backend_tsc;
static const counter_set CYCLES = COUNTER_SET(COUNTER_CORE_CYCLES) | COUNTER_SET(COUNTER_REFERENCE_CYCLES);

static struct counters_session *open_session(const struct counters_system *system)
{
    struct counters_request request = {0, CYCLES, false};
    struct counters_session *session = NULL;
    char why[COUNTERS_TEXT] = "";
    assert_int_equal(tsc->open(system, &request, &session, why, sizeof why), 0);
    return session;
}

/* Two looks at the TSC and one at the clock are 4000 ticks in 1000 ns: 4 GHz. */
TEST_GIVEN_BY(ticks_become_core_cycles, struct fake_machine *machine, open_machine, close_machine)
{
    struct counters_sample sample = {0};
    struct counters_session *session = open_session(&machine->system);
    tsc->begin(session);
    machine->tsc += 398000; /* and 2000 by looking */
    tsc->end(session);
    tsc->result(session, &sample);
    assert_int_equal(sample.of[COUNTER_REFERENCE_CYCLES].grade, COUNTER_ESTIMATED);
    assert_true(sample.of[COUNTER_REFERENCE_CYCLES].value == 400000);
    assert_int_equal(sample.of[COUNTER_CORE_CYCLES].grade, COUNTER_ESTIMATED);
    assert_true(fabs(sample.of[COUNTER_CORE_CYCLES].value / 300000 - 1) < 1e-6); /* 100 us at 3 GHz */
    assert_string_equal(sample.of[COUNTER_CORE_CYCLES].reason, "TSC time x chain clock");
    tsc->close(session);
}

TEST_GIVEN_BY(chains_that_disagree_give_no_core_cycles, struct fake_machine *machine, open_machine, close_machine)
{
    struct counters_sample sample = {0};
    machine->core_hz = 0;
    struct counters_session *session = open_session(&machine->system);
    tsc->result(session, &sample);
    assert_int_equal(sample.of[COUNTER_CORE_CYCLES].grade, COUNTER_UNAVAILABLE);
    assert_string_equal(sample.of[COUNTER_CORE_CYCLES].reason, "the two chains disagree by 3.0%");
    tsc->close(session);
}

TEST_GIVEN_BY(without_a_chain_clock_only_ticks, struct fake_machine *machine, open_machine, close_machine)
{
    struct counters_probe probe = {.backend = tsc};
    machine->system.chain_clock = NULL;
    tsc->probe(&machine->system, 0, &probe);
    assert_true(probe.works);
    assert_int_equal(probe.of[COUNTER_REFERENCE_CYCLES].grade, COUNTER_ESTIMATED);
    assert_int_equal(probe.of[COUNTER_CORE_CYCLES].grade, COUNTER_UNAVAILABLE);
    assert_string_equal(probe.of[COUNTER_CORE_CYCLES].reason.cause, "there is no chain clock for this architecture");
}

TEST_GIVEN_BY(a_tsc_that_is_not_invariant_is_refused, struct fake_machine *machine, open_machine, close_machine)
{
    struct counters_probe probe = {.backend = tsc};
    struct counters_request request = {0, CYCLES, false};
    struct counters_session *session;
    char why[COUNTERS_TEXT];
    machine->invariant_tsc = false;
    tsc->probe(&machine->system, 0, &probe);
    assert_false(probe.works);
    assert_non_null(strstr(probe.reason.cause, "not invariant"));
    assert_true(probe.reason.remedy[0]);
    assert_int_equal(tsc->open(&machine->system, &request, &session, why, sizeof why), -ENOTSUP);
    machine->system.aarch64 = true; /* the generic timer has no such bit */
    tsc->close(open_session(&machine->system));
}

TEST_GIVEN_BY(a_tsc_that_stands_still_is_refused, struct fake_machine *machine, open_machine, close_machine)
{
    struct counters_request request = {0, CYCLES, false};
    struct counters_session *session;
    char why[COUNTERS_TEXT];
    machine->tsc_step = 0;
    assert_int_equal(tsc->open(&machine->system, &request, &session, why, sizeof why), -EIO);
    assert_string_equal(why, "tsc: the TSC does not advance");
}

RUN_TESTS(NULL, NULL)
