/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/record/recorder.h"

#include <string.h>

#include "harness/cells/cell/fields.h"
#include "harness/cells/cell/kind.h"
#include "platforms/clock/quiet.h"

/* ---- to a record ---- */

/** What was counted in one sample, by the name of the quantity; NULL where nothing was. */
static json_t *counts(const struct sample *sample)
{
    json_t *object = sample->counted ? json_object() : NULL;
    for (int q = 0; q < COUNTER_QUANTITIES; q++) {
        if (sample->counted & COUNTER_SET(q))
            json_object_set_new(object, counter_quantity_name((enum counter_quantity)q), json_real(sample->count[q]));
    }
    return object;
}

static struct recorded_sample recorded(const struct sample *sample)
{
    return (struct recorded_sample){
        .time_s = sample->wall_s,
        .core_hz = sample->core_hz,
        .grade = sample_grade_name(sample->grade),
        .rejected = sample->cause == SAMPLE_KEPT ? NULL : sample_cause_name(sample->cause),
        .interrupted = sample->interrupted,
        .stream = sample->stream,
        .counts = counts(sample),
        .entered = sample->proven ? field_entries(&sample->entered) : NULL,
        .switched = sample->cause == SAMPLE_KEPT && sample->switched,
        .off_core = sample->cause == SAMPLE_KEPT ? sample->off_core_share : 0,
    };
}

static bool add(struct recorded_samples *samples, struct recorded_sample sample)
{
    struct recorded_sample *place = samples_add(samples);
    if (place)
        *place = sample;
    else {
        json_decref(sample.counts);
        json_decref(sample.entered);
    }
    return place;
}

static bool add_own(struct recorded_samples *samples, const struct cell *cell, size_t i)
{
    struct recorded_sample sample = recorded(&cell->samples.sample[i]);
    sample.unroll = !cell->kind->halves ? 0 : i % 2 ? 2 : 1;
    return add(samples, sample);
}

static bool add_roof(struct recorded_samples *samples, const struct cell *cell, size_t i)
{
    struct recorded_sample sample = recorded(&cell->roof.sample[i]);
    sample.roof = true;
    return add(samples, sample);
}

json_t *sample_line(const struct cell *cell, size_t first, size_t roof_first, unsigned block, double tsc_hz)
{
    struct recorded_samples samples = {.name = cell->name,
                                       .visit = cell->visits,
                                       .block = block,
                                       .interrupts_undetectable = interrupts_undetectable()};
    bool added = true;
    for (size_t i = first, roof = roof_first; added && i < cell->samples.count; i++, roof++) {
        if (roof < cell->roof.count)
            added = add_roof(&samples, cell, roof);
        added = added && add_own(&samples, cell, i);
    }
    json_t *record = added ? samples_record(&samples, tsc_hz) : NULL;
    samples_release(&samples);
    return record;
}

/* ---- and back ---- */

static enum sample_cause cause_named(const char *name)
{
    for (int cause = SAMPLE_KEPT + 1; name && cause < SAMPLE_CAUSES; cause++) {
        if (strcmp(name, sample_cause_name((enum sample_cause)cause)) == 0)
            return (enum sample_cause)cause;
    }
    return SAMPLE_KEPT;
}

static enum sample_grade grade_named(const char *name)
{
    for (int grade = SAMPLE_GRADES - 1; name && grade > SAMPLE_WALL; grade--) {
        if (strcmp(name, sample_grade_name((enum sample_grade)grade)) == 0)
            return (enum sample_grade)grade;
    }
    return SAMPLE_WALL;
}

static void restore_counts(struct sample *sample, const struct recorded_sample *recorded)
{
    for (int q = 0; q < COUNTER_QUANTITIES; q++) {
        const json_t *count = json_object_get(recorded->counts, counter_quantity_name((enum counter_quantity)q));
        if (!json_is_number(count))
            continue;
        sample->counted |= COUNTER_SET(q);
        sample->count[q] = json_number_value(count);
    }
    sample->proven = recorded->entered;
    for (int e = 0; sample->proven && e < OS_ENTRIES; e++) {
        const json_t *count = json_object_get(recorded->entered, os_entry_name((enum os_entry)e));
        sample->entered.of[e] = json_is_integer(count) ? json_integer_value(count) : -1;
    }
}

struct sample sample_restored(const struct recorded_sample *recorded)
{
    struct sample sample = {
        .wall_s = recorded->time_s,
        .core_hz = recorded->core_hz,
        .grade = grade_named(recorded->grade),
        .interrupted = recorded->interrupted,
        .switched = recorded->switched,
        .off_core_share = recorded->off_core,
        .cause = cause_named(recorded->rejected),
        .stream = recorded->stream,
    };
    restore_counts(&sample, recorded);
    return sample;
}
