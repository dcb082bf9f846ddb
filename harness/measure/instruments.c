/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/measure/instruments.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "platforms/counters/backends.h"
#include "platforms/counters/os_entries.h"
#include "platforms/counters/reason.h"
#include "results/records/record.h"
#include "results/text/refuse.h"

void instruments_clocks(struct instruments *instruments, double tsc_hz)
{
    memset(instruments, 0, sizeof *instruments);
    instruments->tsc_hz = tsc_hz;
    clock_calibrate(tsc_hz, &instruments->chain.clock);
    counters_system_host_with_chain(&instruments->system, &instruments->chain);
}

/** What records keep of a thread; every further event costs two more rdpmc a sample. */
static const counter_set wanted =
    COUNTER_SET(COUNTER_CORE_CYCLES) | COUNTER_SET(COUNTER_INSTRUCTIONS) | COUNTER_SET(COUNTER_LLC_MISSES);

/** What the plan measures of a set; an estimate is no better than the chain clock that every sample has anyway. */
static counter_set measured_of(const struct counters_plan *plan, counter_set set)
{
    counter_set measured = 0;
    for (int q = 0; q < COUNTER_QUANTITIES; q++) {
        if (set & COUNTER_SET(q) && plan->of[q].grade == COUNTER_MEASURED)
            measured |= COUNTER_SET(q);
    }
    return measured;
}

static bool is_auto(const char *name)
{
    return strcmp(name, "auto") == 0;
}

/**
 * The machine's quantities lie outside of the clocks of a sample, where a system call does no harm. But a back end that
 * programs the counters of cores takes them from every other user, other processes included: it has to be asked for.
 */
static void plan_machine(const char *name, struct instruments *instruments,
                         const struct counters_plan *with_system_calls)
{
    for (int q = 0; q < COUNTER_QUANTITIES; q++) {
        if (!(COUNTER_SET_MACHINE & COUNTER_SET(q)))
            continue;
        instruments->plan.of[q] = with_system_calls->of[q];
        const struct counters_backend *backend = with_system_calls->of[q].backend;
        if (!backend || !backend->programs_cores || !is_auto(name))
            continue;
        instruments->plan.of[q].backend = NULL;
        instruments->plan.of[q].grade = COUNTER_UNAVAILABLE;
        snprintf(instruments->plan.of[q].reason, sizeof instruments->plan.of[q].reason,
                 "%s counts it, but takes the counters of cores from others; choose --counters=%s", backend->name,
                 backend->name);
    }
    instruments->around_sample = measured_of(&instruments->plan, COUNTER_SET_MACHINE);
}

/** Whether the back end that was asked for by name is there for the machine, beside the chain clock. */
static bool counts_beside_the_chain(const struct instruments *instruments)
{
    bool counts = false;
    for (int q = 0; q < COUNTER_QUANTITIES; q++) {
        const struct counters_backend *backend = instruments->plan.of[q].backend;
        counts |= instruments->around_sample & COUNTER_SET(q) && backend->programs_cores;
    }
    return counts;
}

/** Whether something is estimated: by a back end that stands for the chain clock. */
static bool is_estimated(const struct counters_plan *plan)
{
    bool estimated = false;
    for (int q = 0; q < COUNTER_QUANTITIES; q++)
        estimated |= plan->of[q].grade == COUNTER_ESTIMATED;
    return estimated;
}

int instruments_choose(const char *name, struct instruments *instruments, char *why, size_t size)
{
    const struct counters_probe *probes = instruments->probes;
    struct counters_plan with_system_calls;
    int error = counters_choose(name, false, probes, COUNTERS_BACKENDS, &instruments->plan, why, size);
    if (!error)
        error = counters_choose(name, true, probes, COUNTERS_BACKENDS, &with_system_calls, why, size);
    if (error)
        return error;
    instruments->in_sample = measured_of(&instruments->plan, wanted);
    plan_machine(name, instruments, &with_system_calls);
    if (is_auto(name) || is_estimated(&instruments->plan) || counts_beside_the_chain(instruments) ||
        instruments->in_sample & COUNTER_SET(COUNTER_CORE_CYCLES))
        return 0;
    snprintf(why, size, "counters '%s' cannot serve as the clock of a sample: %s; choose auto", name,
             instruments->plan.of[COUNTER_CORE_CYCLES].reason);
    return -ENOTSUP;
}

/** What auto chose and cannot be opened now, although its probe could, is not counted. */
static int open_machine(const char *name, struct instruments *instruments, unsigned cpu, char *why, size_t size)
{
    char reason[COUNTERS_TEXT];
    struct counters_request request = {.cpu = cpu, .quantities = instruments->around_sample, .system_calls = true};
    if (!request.quantities || counters_open(&instruments->plan, &instruments->system, &request, &instruments->machine,
                                             reason, sizeof reason) == 0)
        return 0;
    instruments->around_sample = 0;
    return is_auto(name) ? 0 : refuse(-ENOTSUP, why, size, "counters '%s' do not work here: %s", name, reason);
}

int instruments_open(const struct instruments_request *request, unsigned cpu, double tsc_hz,
                     struct instruments *instruments, char *why, size_t size)
{
    instruments_clocks(instruments, tsc_hz);
    if (counters_probe_all(&instruments->system, cpu, instruments->probes))
        return refuse(-ENOMEM, why, size, "no memory to look for counters");
    const char *name = request->counters ? request->counters : "auto";
    int error = instruments_choose(name, instruments, why, size);
    if (!error && request->prove)
        error = os_entries_probe(&instruments->system, why, size);
    instruments->prove = request->prove;
    if (error)
        return error;
    error = likwid_marker_open(&instruments->system, &instruments->marker, why, size);
    if (error && error != -ENODEV)
        return error;
    return open_machine(name, instruments, cpu, why, size);
}

void instruments_close(struct instruments *instruments)
{
    counters_close(instruments->machine);
    likwid_marker_close(instruments->marker);
    instruments->machine = NULL;
    instruments->marker = NULL;
}

void instruments_measure_idle(struct instruments *instruments)
{
    static const uint64_t reading_ns = 30 * 1000 * 1000;
    const struct counters_system *system = &instruments->system;
    if (!instruments->machine || !(instruments->around_sample & COUNTER_SET(COUNTER_PACKAGE_ENERGY_J)))
        return;
    while (instruments->idle_readings < INSTRUMENTS_IDLE_READINGS) {
        struct counters_sample sample;
        uint64_t begin_ns = system->monotonic_raw_ns(system->context);
        counters_begin(instruments->machine);
        system->sleep_ns(system->context, reading_ns);
        counters_end(instruments->machine);
        double time_s = 1e-9 * (double)(system->monotonic_raw_ns(system->context) - begin_ns);
        counters_result(instruments->machine, &sample);
        const struct counter_value *joules = &sample.of[COUNTER_PACKAGE_ENERGY_J];
        if (joules->grade != COUNTER_MEASURED)
            return;
        instruments->idle_w[instruments->idle_readings++] = joules->value / time_s;
    }
}

/* ---------------------------------------------------------------- records */

static json_t *support_json(const struct counters_support *support)
{
    return json_pack("{s:s, s:b, s:o, s:o}", "grade", counter_grade_name(support->grade), "system_call",
                     (int)support->system_call, "cause", record_text_or_null(support->reason.cause), "remedy",
                     record_text_or_null(support->reason.remedy));
}

json_t *instruments_probe_record(const struct counters_probe *probe)
{
    json_t *quantities = json_object();
    for (int q = 0; q < COUNTER_QUANTITIES; q++)
        json_object_set_new(quantities, counter_quantity_name((enum counter_quantity)q), support_json(&probe->of[q]));
    return json_pack("{s:s, s:s, s:s, s:b, s:o, s:o, s:o}", "type", "counters", "name", probe->backend->name, "summary",
                     probe->backend->summary, "works", (int)probe->works, "cause",
                     record_text_or_null(probe->reason.cause), "remedy", record_text_or_null(probe->reason.remedy),
                     "quantities", quantities);
}
