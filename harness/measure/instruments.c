/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/measure/instruments.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "platforms/counters/reason.h"
#include "platforms/kernel_entries.h"

void instruments_clocks(struct instruments *instruments, double tsc_hz)
{
    memset(instruments, 0, sizeof *instruments);
    instruments->tsc_hz = tsc_hz;
    instruments->chain.tsc_hz = tsc_hz;
    counters_system_host_with_chain(&instruments->system, &instruments->chain);
}

/** What records keep of a thread; every further event costs two more rdpmc a sample. */
static const counter_set wanted =
    COUNTER_SET(COUNTER_CORE_CYCLES) | COUNTER_SET(COUNTER_INSTRUCTIONS) | COUNTER_SET(COUNTER_LLC_MISSES);

/** What the plan measures of it; an estimate is no better than the chain clock that every sample has anyway. */
static counter_set measured_of_thread(const struct counters_plan *plan)
{
    counter_set measured = 0;
    for (int q = 0; q < COUNTER_QUANTITIES; q++) {
        if (wanted & COUNTER_SET(q) && plan->of[q].grade == COUNTER_MEASURED)
            measured |= COUNTER_SET(q);
    }
    return measured;
}

int instruments_choose(const char *name, const struct counters_probe *probes, struct counters_plan *plan,
                       counter_set *in_sample, char *why, size_t size)
{
    int error = counters_choose(name, false, probes, COUNTERS_BACKENDS, plan, why, size);
    if (error)
        return error;
    *in_sample = measured_of_thread(plan);
    bool estimates_suffice = strcmp(name, "auto") == 0 || strcmp(name, "tsc") == 0;
    if (estimates_suffice || *in_sample & COUNTER_SET(COUNTER_CORE_CYCLES))
        return 0;
    snprintf(why, size, "counters '%s' cannot be the clock of a sample: %s; choose auto", name,
             plan->of[COUNTER_CORE_CYCLES].reason);
    return -ENOTSUP;
}

int instruments_open(const struct instruments_request *request, unsigned cpu, double tsc_hz,
                     struct instruments *instruments, char *why, size_t size)
{
    instruments_clocks(instruments, tsc_hz);
    counters_probe_all(&instruments->system, cpu, instruments->probes);
    int error = instruments_choose(request->counters ? request->counters : "auto", instruments->probes,
                                   &instruments->plan, &instruments->in_sample, why, size);
    if (!error && request->prove)
        error = kernel_entries_probe(&instruments->system, why, size);
    instruments->prove = request->prove;
    if (error)
        return error;
    error = likwid_marker_open(&instruments->system, &instruments->marker, why, size);
    return error == -ENODEV ? 0 : error;
}

void instruments_close(struct instruments *instruments)
{
    likwid_marker_close(instruments->marker);
    instruments->marker = NULL;
}

/* ---------------------------------------------------------------- records */

static json_t *text_or_null(const char *text)
{
    return text[0] ? json_string(text) : json_null();
}

static json_t *support_json(const struct counters_support *support)
{
    return json_pack("{s:s, s:b, s:o, s:o}", "grade", counter_grade_name(support->grade), "system_call",
                     (int)support->system_call, "cause", text_or_null(support->reason.cause), "remedy",
                     text_or_null(support->reason.remedy));
}

json_t *instruments_probe_record(const struct counters_probe *probe)
{
    json_t *quantities = json_object();
    for (int q = 0; q < COUNTER_QUANTITIES; q++)
        json_object_set_new(quantities, counter_quantity_name((enum counter_quantity)q), support_json(&probe->of[q]));
    return json_pack("{s:s, s:s, s:s, s:b, s:o, s:o, s:o}", "type", "counters", "name", probe->backend->name, "summary",
                     probe->backend->summary, "works", (int)probe->works, "cause", text_or_null(probe->reason.cause),
                     "remedy", text_or_null(probe->reason.remedy), "quantities", quantities);
}
