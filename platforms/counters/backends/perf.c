/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "platforms/counters/backend.h"
#include "platforms/counters/perf_counter.h"
#include "platforms/counters/reason.h"

/* Two sockets of 16 channels, reads and writes, and the packages' energy, with room to spare. */
enum { PERF_COUNTERS = 160 };

struct counters_session {
    const struct counters_system *system;
    struct counters_request request;
    size_t count;
    struct perf_counter counters[PERF_COUNTERS]; /* the dearest first, core cycles last: begin goes up, end goes down */
    char reason[COUNTER_QUANTITIES][COUNTERS_TEXT]; /* why a quantity that was asked for is not open */
};

/* In the order of counters_session.counters. */
static const enum counter_quantity machine_quantities[] = {COUNTER_PACKAGE_ENERGY_J, COUNTER_DRAM_WRITE_BYTES,
                                                           COUNTER_DRAM_READ_BYTES};
static const enum counter_quantity core_quantities[] = {COUNTER_LLC_MISSES, COUNTER_INSTRUCTIONS,
                                                        COUNTER_REFERENCE_CYCLES, COUNTER_CORE_CYCLES};
enum { MACHINE_QUANTITIES = 3, CORE_QUANTITIES = 4 };

/* Long enough for the kernel to put the event on the PMU and for a stuck one to show. */
enum { PROBE_SPIN_NS = 200 * 1000, PROBE_MACHINE_NS = 12 * 1000 * 1000 };

static void spin(const struct counters_system *system, uint64_t ns)
{
    uint64_t start = system->monotonic_raw_ns(system->context);
    while (system->monotonic_raw_ns(system->context) - start < ns)
        ;
}

/* ---- probe */

static void probe_core(const struct counters_system *system, const struct perf_facts *facts,
                       enum counter_quantity quantity, struct counters_probe *probe)
{
    struct counters_support *support = &probe->of[quantity];
    struct perf_counter counter = {.fd = -1};
    *support = (struct counters_support){.grade = COUNTER_UNAVAILABLE};
    int status = perf_counter_open_core(system, facts, quantity, &counter);
    if (status) {
        perf_explain_core(facts, quantity, -status, &support->reason);
        return;
    }
    perf_counter_read(system, &counter, &counter.begin);
    spin(system, PROBE_SPIN_NS);
    perf_counter_read(system, &counter, &counter.end);
    const struct perf_reading *before = &counter.begin, *after = &counter.end;
    support->system_call = counter.page == NULL;
    if (after->state != PERF_COUNTED || (after->running_ns == 0 && after->count == before->count))
        perf_explain_idle(facts, quantity, &support->reason);
    else
        support->grade = COUNTER_MEASURED;
    perf_counter_close(system, &counter);
}

/* All of the machine's quantities share one wait. */
static void probe_machine(const struct counters_system *system, const struct perf_facts *facts,
                          struct counters_probe *probe)
{
    struct perf_counter counters[MACHINE_QUANTITIES][PERF_COUNTERS / MACHINE_QUANTITIES];
    int open[MACHINE_QUANTITIES];
    bool wait = false;
    for (int q = 0; q < MACHINE_QUANTITIES; q++) {
        open[q] = perf_counter_open_machine(system, machine_quantities[q], counters[q],
                                            sizeof counters[q] / sizeof counters[q][0]);
        for (int c = 0; c < open[q]; c++)
            perf_counter_read(system, &counters[q][c], &counters[q][c].begin);
        wait |= open[q] > 0;
    }
    if (wait)
        system->sleep_ns(system->context, PROBE_MACHINE_NS);
    for (int q = 0; q < MACHINE_QUANTITIES; q++) {
        struct counters_support *support = &probe->of[machine_quantities[q]];
        *support = (struct counters_support){.grade = COUNTER_UNAVAILABLE, .system_call = true};
        if (open[q] < 0)
            perf_explain_machine(facts, machine_quantities[q], -open[q], &support->reason);
        else
            perf_explain_idle(facts, machine_quantities[q], &support->reason);
        for (int c = 0; c < open[q]; c++) {
            struct perf_counter *counter = &counters[q][c];
            perf_counter_read(system, counter, &counter->end);
            if (counter->end.state == PERF_COUNTED && counter->end.count != counter->begin.count)
                support->grade = COUNTER_MEASURED;
            perf_counter_close(system, counter);
        }
        if (support->grade == COUNTER_MEASURED)
            support->reason = (struct counters_reason){0};
    }
}

static void perf_probe(const struct counters_system *system, unsigned cpu, struct counters_probe *probe)
{
    struct perf_facts facts;
    bool uses_read = false;
    perf_facts_read(system, cpu, &facts);
    for (int q = 0; q < CORE_QUANTITIES; q++) {
        probe_core(system, &facts, core_quantities[q], probe);
        const struct counters_support *support = &probe->of[core_quantities[q]];
        uses_read |= support->grade == COUNTER_MEASURED && support->system_call;
    }
    probe_machine(system, &facts, probe);
    if (uses_read)
        perf_explain_read(system, &facts, &probe->reason);
    probe_conclude(probe);
}

/* ---- session */

static bool is_wanted(const struct counters_session *session, enum counter_quantity quantity)
{
    return session->request.quantities & COUNTER_SET(quantity);
}

static void note_failure(struct counters_session *session, enum counter_quantity quantity,
                         const struct counters_reason *reason)
{
    reason_line(reason, session->reason[quantity], sizeof session->reason[quantity]);
}

static void open_machine(struct counters_session *session, const struct perf_facts *facts,
                         enum counter_quantity quantity)
{
    struct counters_reason reason = {.cause = "reading it takes a system call, which is not made around this sample"};
    int opened = 0;
    if (session->request.system_calls) {
        opened = perf_counter_open_machine(session->system, quantity, session->counters + session->count,
                                           PERF_COUNTERS - session->count - CORE_QUANTITIES);
        if (opened < 0)
            perf_explain_machine(facts, quantity, -opened, &reason);
    }
    if (opened > 0)
        session->count += (size_t)opened;
    else
        note_failure(session, quantity, &reason);
}

static void open_core(struct counters_session *session, const struct perf_facts *facts, enum counter_quantity quantity)
{
    struct perf_counter *counter = &session->counters[session->count];
    struct counters_reason reason = {0};
    int status = perf_counter_open_core(session->system, facts, quantity, counter);
    if (status) {
        perf_explain_core(facts, quantity, -status, &reason);
    } else if (!counter->page && !session->request.system_calls) {
        perf_counter_close(session->system, counter);
        perf_explain_read(session->system, facts, &reason);
        reason_cause(&reason,
                     "rdpmc is not allowed, and read() is a system call, which is not made around this sample");
    } else {
        session->count++;
        return;
    }
    note_failure(session, quantity, &reason);
}

static int perf_open(const struct counters_system *system, const struct counters_request *request,
                     struct counters_session **out, char *why, size_t size)
{
    struct perf_facts facts;
    struct counters_session *session = calloc(1, sizeof *session);
    if (!session) {
        snprintf(why, size, "perf: no memory");
        return -ENOMEM;
    }
    session->system = system;
    session->request = *request;
    perf_facts_read(system, request->cpu, &facts);
    for (int q = 0; q < MACHINE_QUANTITIES; q++)
        if (is_wanted(session, machine_quantities[q]))
            open_machine(session, &facts, machine_quantities[q]);
    for (int q = 0; q < CORE_QUANTITIES; q++)
        if (is_wanted(session, core_quantities[q]))
            open_core(session, &facts, core_quantities[q]);
    if (session->count > 0) {
        *out = session;
        return 0;
    }
    const char *reason = "no quantity was asked for";
    for (int q = COUNTER_QUANTITIES - 1; q >= 0; q--)
        if (session->reason[q][0])
            reason = session->reason[q];
    snprintf(why, size, "perf: %s", reason);
    free(session);
    return -ENOTSUP;
}

static void perf_begin(struct counters_session *session)
{
    for (size_t c = 0; c < session->count; c++)
        perf_counter_read(session->system, &session->counters[c], &session->counters[c].begin);
}

static void perf_end(struct counters_session *session)
{
    for (size_t c = session->count; c-- > 0;)
        perf_counter_read(session->system, &session->counters[c], &session->counters[c].end);
}

static void perf_result(struct counters_session *session, struct counters_sample *sample)
{
    for (int q = 0; q < COUNTER_QUANTITIES; q++) {
        if (!is_wanted(session, (enum counter_quantity)q))
            continue;
        if (session->reason[q][0])
            value_unavailable(&sample->of[q], "%s", session->reason[q]);
        else
            sample->of[q] = (struct counter_value){.grade = COUNTER_MEASURED};
    }
    for (size_t c = 0; c < session->count; c++) {
        const struct perf_counter *counter = &session->counters[c];
        struct counter_value *value = &sample->of[counter->quantity];
        char why[COUNTERS_TEXT];
        double count;
        if (value->grade != COUNTER_MEASURED)
            continue;
        if (perf_difference(&counter->begin, &counter->end, &count, why, sizeof why))
            value->value += count * counter->scale;
        else
            value_unavailable(value, "%s", why);
    }
}

static void perf_close(struct counters_session *session)
{
    for (size_t c = 0; c < session->count; c++)
        perf_counter_close(session->system, &session->counters[c]);
    free(session);
}

const struct counters_backend counters_backend_perf = {
    .name = "perf",
    .summary = "the kernel's perf events, read with rdpmc where it is allowed",
    .priority = 40,
    .probe = perf_probe,
    .open = perf_open,
    .begin = perf_begin,
    .end = perf_end,
    .result = perf_result,
    .close = perf_close,
};
