/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Records to samples. The way back is in samples_record.c.
 */
#include "results/records/samples.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "results/text/refuse.h"

bool samples_are_in(const json_t *record)
{
    const char *type = json_string_value(json_object_get(record, "type"));
    return type && strcmp(type, "samples") == 0;
}

struct recorded_sample *samples_add(struct recorded_samples *samples)
{
    if (samples->count == samples->capacity) {
        size_t capacity = 2 * samples->capacity + 32;
        struct recorded_sample *grown = realloc(samples->sample, capacity * sizeof *grown);
        if (!grown)
            return NULL;
        samples->sample = grown;
        samples->capacity = capacity;
    }
    struct recorded_sample *sample = &samples->sample[samples->count++];
    *sample = (struct recorded_sample){.grade = "wall"};
    return sample;
}

void samples_clear(struct recorded_samples *samples)
{
    for (size_t i = 0; i < samples->count; i++) {
        json_decref(samples->sample[i].counts);
        json_decref(samples->sample[i].entered);
    }
    samples->count = 0;
}

void samples_release(struct recorded_samples *samples)
{
    samples_clear(samples);
    free(samples->sample);
    *samples = (struct recorded_samples){0};
}

/* ---- columns ---- */

/**
 * Where the samples of one set of columns stand among those of the record: reads of the roof lie between the others.
 */
struct placing {
    struct recorded_sample *sample;
    size_t count;
    size_t lead;  /* of the others, this many come first */
    size_t other; /* this many others there are */
};

static struct recorded_sample *placed(const struct placing *placing, size_t i)
{
    size_t before = i + placing->lead < placing->other ? i + placing->lead : placing->other;
    return &placing->sample[i + before];
}

/** Item i of a column, or the one value of all of its samples. */
static const json_t *item(const json_t *column, size_t i)
{
    return json_is_array(column) ? json_array_get(column, i) : column;
}

/** Call `set` for each sample whose position a list of them by key holds. */
static void read_positions(const json_t *lists, const struct placing *placing,
                           void (*set)(struct recorded_sample *sample, const char *key))
{
    const char *key;
    json_t *list, *position;
    size_t i;
    json_object_foreach((json_t *)lists, key, list)
    {
        json_array_foreach(list, i, position)
        {
            json_int_t at = json_integer_value(position);
            if (at >= 0 && at < (json_int_t)placing->count)
                set(placed(placing, (size_t)at), key);
        }
    }
}

static void set_grade(struct recorded_sample *sample, const char *grade)
{
    sample->grade = grade;
}

static void set_rejected(struct recorded_sample *sample, const char *cause)
{
    sample->rejected = cause;
}

static void read_grade(const json_t *grade, const struct placing *placing)
{
    const char *of_all = json_string_value(grade);
    for (size_t i = 0; of_all && i < placing->count; i++)
        placed(placing, i)->grade = of_all;
    read_positions(grade, placing, set_grade);
}

static void read_interrupted(const json_t *positions, const struct placing *placing)
{
    size_t i;
    json_t *position;
    json_array_foreach(positions, i, position)
    {
        json_int_t at = json_integer_value(position);
        if (at >= 0 && at < (json_int_t)placing->count)
            placed(placing, (size_t)at)->interrupted = true;
    }
}

/** Whether any of the columns says something of sample i. */
static bool any_value(const json_t *columns, size_t i)
{
    const char *name;
    json_t *column;
    bool any = false;
    json_object_foreach((json_t *)columns, name, column)
    {
        any = any || json_is_number(json_array_get(column, i));
    }
    return any;
}

/** Item i of each of the columns by its name, as an object; NULL where all of them are null. */
static int read_object(const json_t *columns, size_t i, json_t **object)
{
    const char *name;
    json_t *column;
    int error = 0;
    if (!any_value(columns, i))
        return 0;
    *object = json_object();
    json_object_foreach((json_t *)columns, name, column)
    {
        json_t *value = json_array_get(column, i);
        error = error || !value ? error : json_object_set(*object, name, value);
    }
    return error ? -ENOMEM : 0;
}

static int read_columns(const json_t *columns, double tsc_hz, const struct placing *placing)
{
    const json_t *ticks = json_object_get(columns, "ticks"), *core_khz = json_object_get(columns, "core_khz");
    const json_t *unroll = json_object_get(columns, "unroll"), *stream = json_object_get(columns, "stream");
    const json_t *off_core = json_object_get(columns, "off_core");
    size_t unrolls = json_array_size(unroll);
    for (size_t i = 0; i < placing->count; i++) {
        struct recorded_sample *sample = placed(placing, i);
        sample->time_s = (double)json_integer_value(json_array_get(ticks, i)) / tsc_hz;
        sample->core_hz = 1e3 * json_number_value(json_array_get(core_khz, i));
        sample->unroll = unrolls ? (unsigned)json_integer_value(json_array_get(unroll, i % unrolls)) : 0;
        sample->stream = (unsigned)json_integer_value(item(stream, i));
        sample->switched = json_is_number(json_array_get(off_core, i));
        sample->off_core = json_number_value(json_array_get(off_core, i));
    }
    read_grade(json_object_get(columns, "grade"), placing);
    read_positions(json_object_get(columns, "rejected"), placing, set_rejected);
    read_interrupted(json_object_get(columns, "interrupted"), placing);
    const json_t *counts = json_object_get(columns, "counts"), *entered = json_object_get(columns, "entered");
    int error = 0;
    for (size_t i = 0; !error && i < placing->count; i++) {
        error = read_object(counts, i, &placed(placing, i)->counts);
        if (!error)
            error = read_object(entered, i, &placed(placing, i)->entered);
    }
    return error;
}

static int read_visit(const json_t *record, struct recorded_samples *samples)
{
    const json_t *roof = json_object_get(record, "roof");
    size_t count = json_array_size(json_object_get(record, "ticks"));
    size_t roofs = json_array_size(json_object_get(roof, "ticks"));
    for (size_t i = 0; i < count + roofs; i++) {
        if (!samples_add(samples))
            return -ENOMEM;
    }
    struct placing own = {.sample = samples->sample, .count = count, .lead = 1, .other = roofs};
    struct placing of_roof = {.sample = samples->sample, .count = roofs, .lead = 0, .other = count};
    for (size_t i = 0; i < roofs; i++)
        placed(&of_roof, i)->roof = true;
    double tsc_hz = json_number_value(json_object_get(record, "tsc_hz"));
    samples->interrupts_undetectable = json_is_null(json_object_get(record, "interrupted"));
    int error = read_columns(record, tsc_hz, &own);
    return error ? error : read_columns(roof, tsc_hz, &of_roof);
}

int samples_read(const json_t *record, struct recorded_samples *samples)
{
    samples_clear(samples);
    if (!samples_are_in(record))
        return 0;
    const char *name = json_string_value(json_object_get(record, "name"));
    samples->name = name ? name : "";
    samples->visit = (unsigned)json_integer_value(json_object_get(record, "visit"));
    samples->block = (unsigned)json_integer_value(json_object_get(record, "block"));
    return read_visit(record, samples);
}

/* ---- whether columns fit each other ---- */

static int check_length(const char *name, const json_t *column, size_t count, char *why, size_t size)
{
    if (!json_is_array(column) || json_array_size(column) == count)
        return 0;
    return refuse(-EINVAL, why, size, "%s has %zu values for %zu samples", name, json_array_size(column), count);
}

static int check_lengths(const json_t *columns, size_t count, char *why, size_t size)
{
    const char *name;
    json_t *column;
    int error = 0;
    json_object_foreach((json_t *)columns, name, column)
    {
        if (!error)
            error = check_length(name, column, count, why, size);
    }
    return error;
}

static int check_positions(const char *name, const json_t *list, size_t count, char *why, size_t size)
{
    size_t i;
    json_t *position;
    json_array_foreach(list, i, position)
    {
        if (json_integer_value(position) >= (json_int_t)count)
            return refuse(-EINVAL, why, size, "%s names sample %lld of %zu", name,
                          (long long)json_integer_value(position), count);
    }
    return 0;
}

static int check_lists(const json_t *lists, size_t count, char *why, size_t size)
{
    const char *name;
    json_t *list;
    int error = 0;
    json_object_foreach((json_t *)lists, name, list)
    {
        if (!error)
            error = check_positions(name, list, count, why, size);
    }
    return error;
}

/** No clock exceeds this; sums and products of such values stay finite. */
#define CORE_KHZ_MOST 1e9

/** Numbers from 0 to most. */
static int check_values(const char *name, const json_t *column, double most, char *why, size_t size)
{
    size_t i;
    json_t *item;
    json_array_foreach(column, i, item)
    {
        double value = json_number_value(item);
        if (!json_is_number(item) || !(value >= 0 && value <= most))
            return refuse(-EINVAL, why, size, "value %zu of %s is no number from 0 to %g", i, name, most);
    }
    return 0;
}

static int check_columns(const json_t *columns, char *why, size_t size)
{
    const json_t *ticks = json_object_get(columns, "ticks"), *core_khz = json_object_get(columns, "core_khz");
    size_t count = json_array_size(ticks);
    if (!ticks || !core_khz)
        return refuse(-EINVAL, why, size, "samples have no %s", ticks ? "core_khz" : "ticks");
    int error = check_length("core_khz", core_khz, count, why, size);
    if (!error)
        error = check_values("ticks", ticks, 0x1p63, why, size);
    if (!error)
        error = check_values("core_khz", core_khz, CORE_KHZ_MOST, why, size);
    if (!error)
        error = check_length("stream", json_object_get(columns, "stream"), count, why, size);
    if (!error)
        error = check_length("off_core", json_object_get(columns, "off_core"), count, why, size);
    if (!error)
        error = check_lengths(json_object_get(columns, "counts"), count, why, size);
    if (!error)
        error = check_lengths(json_object_get(columns, "entered"), count, why, size);
    if (!error)
        error = check_positions("interrupted", json_object_get(columns, "interrupted"), count, why, size);
    if (!error)
        error = check_lists(json_object_get(columns, "rejected"), count, why, size);
    return error ? error : check_lists(json_object_get(columns, "grade"), count, why, size);
}

int samples_check(const json_t *record, char *why, size_t size)
{
    if (!samples_are_in(record))
        return 0;
    double tsc_hz = json_number_value(json_object_get(record, "tsc_hz"));
    if (!(tsc_hz >= 1 && tsc_hz <= 1e12))
        return refuse(-EINVAL, why, size, "samples have no tsc_hz to take their ticks by");
    int error = check_columns(record, why, size);
    const json_t *roof = json_object_get(record, "roof");
    return error || !roof ? error : check_columns(roof, why, size);
}
