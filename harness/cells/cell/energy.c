/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/cell/energy.h"

#include <errno.h>
#include <math.h>

#include "harness/cells/cell/cell.h"
#include "harness/cells/cell/fields.h"
#include "harness/cells/cell/summary.h"
#include "harness/measure/session.h"

/** The work as often as a window takes. */
struct window {
    const struct sampler_work *work;
    unsigned first, step, calls;
};

static bool counts(const struct session *session)
{
    return session->instruments.machine && session->instruments.around_sample & COUNTER_SET(COUNTER_PACKAGE_ENERGY_J);
}

double energy_visit_s(const struct session *session)
{
    return counts(session) ? ENERGY_WINDOWS_A_VISIT * ENERGY_WINDOW_S : 0;
}

/* ---- taking windows ---- */

static void run(void *context, unsigned member, unsigned sample)
{
    const struct window *window = context;
    const struct sampler_work *work = window->work;
    for (unsigned c = 0; c < window->calls; c++) {
        unsigned number = window->first + (sample * window->calls + c) * window->step;
        if (work->before)
            work->before(work->context, member, number);
        work->run(work->context, member, number);
    }
}

/** Calls of a window, by the shortest sample, so that none is shorter; 0: samples last long enough, or it is not known how long. */
static unsigned calls_of(const struct cell *cell)
{
    double wall_s = INFINITY;
    for (size_t i = 0; i < cell->samples.count; i++)
        wall_s = fmin(wall_s, cell->samples.sample[i].wall_s);
    return wall_s > 0 && wall_s < SAMPLER_ENERGY_LEAST_S ? (unsigned)fmin(1e6, ceil(ENERGY_WINDOW_S / wall_s)) : 0;
}

static void keep(struct cell *cell, const struct sample *sample, unsigned calls)
{
    struct energy *energy = &cell->energy;
    bool kept = sample->cause == SAMPLE_KEPT && sample->counted & COUNTER_SET(COUNTER_PACKAGE_ENERGY_J);
    energy->rejected += !kept;
    if (kept)
        energy->window[energy->count++] = (struct energy_window){sample->count[COUNTER_PACKAGE_ENERGY_J] / calls,
                                                                 sample->wall_s / calls, cell->samples.count};
}

int energy_take(struct session *session, struct cell *cell, const struct sampler_work *work, unsigned first,
                unsigned step)
{
    struct sample samples[ENERGY_WINDOWS_A_VISIT];
    struct window window = {work, first, step, counts(session) ? calls_of(cell) : 0};
    unsigned room = ENERGY_WINDOWS_MOST - cell->energy.count;
    unsigned count = room < ENERGY_WINDOWS_A_VISIT ? room : ENERGY_WINDOWS_A_VISIT;
    if (counts(session))
        instruments_measure_idle(&session->instruments);
    if (!window.calls || !count)
        return 0;
    const struct sampler_work windows = {
        .context = &window, .first_member = work->first_member, .run = run, .sleeps = work->sleeps};
    int error = sampler_take(session->team, &session->instruments, &windows, samples, count);
    for (unsigned i = 0; !error && i < count; i++)
        keep(cell, &samples[i], window.calls);
    return error;
}

/* ---- what they say ---- */

static struct graded of_windows(const struct cell *cell)
{
    struct graded joules = {.grade = "count"};
    double value[ENERGY_WINDOWS_MOST];
    for (unsigned i = 0; i < cell->energy.count; i++)
        value[i] = cell->energy.window[i].joules / (cell->repeats ? cell->repeats : 1);
    stats_summarize(value, cell->energy.count, &joules.summary);
    joules.summary.rejected = cell->energy.rejected;
    return joules;
}

struct graded energy_of(const struct cell *cell, bool *windows)
{
    struct graded joules = summary_count(cell, COUNTER_PACKAGE_ENERGY_J);
    *windows = cell->energy.count > joules.summary.n || !joules.summary.n;
    return *windows ? of_windows(cell) : joules;
}

void energy_set(json_t *record, const struct session *session, const struct cell *cell)
{
    bool windows;
    struct graded joules = energy_of(cell, &windows), idle = {.grade = "count"};
    if (!joules.summary.n)
        return;
    field_set_quantity(record, "package_energy_j", joules, "J");
    json_object_del(record, "package_energy_j_reason");
    field_set(record, "package_energy_from", json_string(windows ? "windows" : "samples"));
    double watts[INSTRUMENTS_IDLE_READINGS];
    for (unsigned i = 0; i < session->instruments.idle_readings; i++)
        watts[i] = session->instruments.idle_w[i];
    stats_summarize(watts, session->instruments.idle_readings, &idle.summary);
    if (idle.summary.n)
        field_set_quantity(record, "package_idle_w", idle, "W");
}

static void scale(struct summary *summary, double factor)
{
    summary->median *= factor;
    summary->min *= factor;
    summary->mad *= factor;
    summary->max *= factor;
    summary->ci95[0] *= factor;
    summary->ci95[1] *= factor;
}

void energy_set_token(json_t *record, const struct session *session, const struct cell *cell, double tokens)
{
    bool windows;
    struct graded joules = energy_of(cell, &windows);
    if (joules.summary.n) {
        scale(&joules.summary, 1 / tokens);
        field_set_quantity(record, "joules_per_token", joules, "J");
        return;
    }
    field_set(record, "joules_per_token", json_null());
    field_set(record, "joules_per_token_reason",
              json_string(counts(session) ? "energy was not counted with any of the kept samples"
                                          : "no energy counter works here: the records of type counters say why"));
}

/* ---- what a run keeps ---- */

void energy_describe(const struct cell *cell, size_t first, json_t *record)
{
    json_t *joules = json_array(), *times = json_array();
    for (unsigned i = 0; i < cell->energy.count; i++) {
        const struct energy_window *window = &cell->energy.window[i];
        if (window->after <= first)
            continue;
        json_array_append_new(joules, json_real(window->joules));
        json_array_append_new(times, json_real(window->time_s));
    }
    if (json_array_size(joules))
        field_set(record, "energy", json_pack("{s:O, s:O}", "joules", joules, "time_s", times));
    json_decref(joules);
    json_decref(times);
}

int energy_restore(struct cell *cell, const json_t *record)
{
    const json_t *energy = json_object_get(record, "energy");
    const json_t *joules = json_object_get(energy, "joules"), *times = json_object_get(energy, "time_s");
    if (!energy)
        return 0;
    if (!json_is_array(joules) || json_array_size(joules) != json_array_size(times))
        return -EINVAL;
    for (size_t i = 0; i < json_array_size(joules) && cell->energy.count < ENERGY_WINDOWS_MOST; i++) {
        const json_t *joule = json_array_get(joules, i), *time = json_array_get(times, i);
        if (!json_is_number(joule) || !json_is_number(time) || json_number_value(joule) < 0 ||
            !(json_number_value(time) > 0))
            return -EINVAL;
        cell->energy.window[cell->energy.count++] =
            (struct energy_window){json_number_value(joule), json_number_value(time), cell->samples.count};
    }
    return 0;
}
