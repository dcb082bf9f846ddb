/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Samples to the columns of a record.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "results/records/samples.h"

/** Samples of one kind, own or of the roof, by their number among those of that kind. */
struct selection {
    const struct recorded_samples *of;
    bool roof;
};

/** Next of them from *at on, NULL after the last. */
static const struct recorded_sample *next(const struct selection *selection, size_t *at)
{
    while (*at < selection->of->count) {
        const struct recorded_sample *sample = &selection->of->sample[(*at)++];
        if (sample->roof == selection->roof)
            return sample;
    }
    return NULL;
}

/** One value where all are the same, else the column. */
static json_t *column_or_value(json_t *column)
{
    for (size_t i = 1; i < json_array_size(column); i++) {
        if (!json_equal(json_array_get(column, 0), json_array_get(column, i)))
            return column;
    }
    json_t *value = json_incref(json_array_get(column, 0));
    json_decref(column);
    return value;
}

static json_t *integers(const struct selection *selection, double tsc_hz,
                        json_int_t (*value)(const struct recorded_sample *sample, double tsc_hz))
{
    json_t *column = json_array();
    size_t at = 0;
    for (const struct recorded_sample *sample; (sample = next(selection, &at));)
        json_array_append_new(column, json_integer(value(sample, tsc_hz)));
    return column;
}

static json_int_t ticks(const struct recorded_sample *sample, double tsc_hz)
{
    return llround(sample->time_s * tsc_hz);
}

static json_int_t core_khz(const struct recorded_sample *sample, double tsc_hz)
{
    (void)tsc_hz;
    return llround(sample->core_hz / 1e3);
}

static json_int_t stream(const struct recorded_sample *sample, double tsc_hz)
{
    (void)tsc_hz;
    return sample->stream;
}

static json_int_t unroll(const struct recorded_sample *sample, double tsc_hz)
{
    (void)tsc_hz;
    return sample->unroll;
}

/** Positions of the samples by a text that they have; samples without it are in no list. */
static json_t *positions(const struct selection *selection, const char *(*text)(const struct recorded_sample *sample))
{
    json_t *lists = json_object();
    size_t at = 0;
    json_int_t position = 0;
    for (const struct recorded_sample *sample; (sample = next(selection, &at)); position++) {
        const char *key = text(sample);
        if (!key)
            continue;
        json_t *list = json_object_get(lists, key);
        if (!list) {
            list = json_array();
            json_object_set_new(lists, key, list);
        }
        json_array_append_new(list, json_integer(position));
    }
    return lists;
}

static const char *grade(const struct recorded_sample *sample)
{
    return sample->grade;
}

static const char *rejected(const struct recorded_sample *sample)
{
    return sample->rejected;
}

static const char *interrupted(const struct recorded_sample *sample)
{
    return sample->interrupted ? "interrupted" : NULL;
}

static json_t *grades(const struct selection *selection)
{
    json_t *lists = positions(selection, grade);
    if (json_object_size(lists) != 1)
        return lists;
    json_t *of_all = json_string(json_object_iter_key(json_object_iter(lists)));
    json_decref(lists);
    return of_all;
}

/** A counter's whole numbers without a point; what is scaled keeps its fraction. */
static json_t *number(json_t *value)
{
    double real = json_number_value(value);
    if (json_is_real(value) && fabs(real) < 0x1p53 && real == floor(real))
        return json_integer((json_int_t)real);
    return json_incref(value);
}

/** A column for each name that the object at `where` has in any sample, null where one lacks it. */
static json_t *columns_of_objects(const struct selection *selection, size_t where)
{
    json_t *columns = json_object();
    size_t at = 0, position = 0;
    for (const struct recorded_sample *sample; (sample = next(selection, &at)); position++) {
        json_t *object = *(json_t *const *)((const char *)sample + where), *value;
        const char *name;
        json_object_foreach(object, name, value)
        {
            json_t *column = json_object_get(columns, name);
            if (!column) {
                column = json_array();
                json_object_set_new(columns, name, column);
            }
            while (json_array_size(column) < position)
                json_array_append_new(column, json_null());
            json_array_append_new(column, number(value));
        }
    }
    const char *name;
    json_t *column;
    json_object_foreach(columns, name, column)
    {
        while (json_array_size(column) < position)
            json_array_append_new(column, json_null());
    }
    return columns;
}

static void set_unless_empty(json_t *record, const char *name, json_t *value)
{
    if (json_object_size(value))
        json_object_set(record, name, value);
    json_decref(value);
}

static void set_interrupted(json_t *record, const struct selection *selection)
{
    json_t *lists = positions(selection, interrupted);
    if (selection->of->interrupts_undetectable)
        json_object_set_new(record, "interrupted", json_null());
    else if (json_object_size(lists))
        json_object_set(record, "interrupted", json_object_get(lists, "interrupted"));
    json_decref(lists);
}

static void set_off_core(json_t *record, const struct selection *selection)
{
    json_t *column = json_array();
    bool any = false;
    size_t at = 0;
    for (const struct recorded_sample *sample; (sample = next(selection, &at));) {
        any = any || sample->switched;
        json_array_append_new(column, sample->switched ? json_real(sample->off_core) : json_null());
    }
    if (any)
        json_object_set(record, "off_core", column);
    json_decref(column);
}

/** Gammas take U and 2U in turn: the two numbers stand for all, unless the visit began or ended in between. */
static void set_unroll(json_t *record, const struct selection *selection)
{
    json_t *column = integers(selection, 0, unroll);
    size_t count = json_array_size(column);
    bool any = false, in_turn = count > 1;
    for (size_t i = 0; i < count; i++) {
        any = any || json_integer_value(json_array_get(column, i));
        in_turn = in_turn && json_equal(json_array_get(column, i), json_array_get(column, i % 2));
    }
    while (in_turn && json_array_size(column) > 2)
        json_array_remove(column, json_array_size(column) - 1);
    if (any)
        json_object_set(record, "unroll", column);
    json_decref(column);
}

static void set_columns(json_t *record, const struct selection *selection, double tsc_hz)
{
    set_unroll(record, selection);
    json_object_set_new(record, "grade", grades(selection));
    set_unless_empty(record, "rejected", positions(selection, rejected));
    set_interrupted(record, selection);
    set_off_core(record, selection);
    json_object_set_new(record, "ticks", integers(selection, tsc_hz, ticks));
    json_object_set_new(record, "core_khz", integers(selection, tsc_hz, core_khz));
    set_unless_empty(record, "counts", columns_of_objects(selection, offsetof(struct recorded_sample, counts)));
    set_unless_empty(record, "entered", columns_of_objects(selection, offsetof(struct recorded_sample, entered)));
}

static json_t *rate(double tsc_hz)
{
    return tsc_hz == floor(tsc_hz) ? json_integer((json_int_t)tsc_hz) : json_real(tsc_hz);
}

json_t *samples_record(const struct recorded_samples *samples, double tsc_hz)
{
    struct selection own = {samples, false}, of_roof = {samples, true};
    size_t at = 0;
    json_t *record =
        json_pack("{s:s, s:s, s:i}", "type", "samples", "name", samples->name, "visit", (int)samples->visit);
    if (!record)
        return NULL;
    if (samples->block)
        json_object_set_new(record, "block", json_integer(samples->block));
    json_object_set_new(record, "tsc_hz", rate(tsc_hz));
    set_columns(record, &own, tsc_hz);
    if (next(&of_roof, &at)) {
        json_t *roof = json_object();
        json_object_set_new(roof, "stream", column_or_value(integers(&of_roof, 0, stream)));
        set_columns(roof, &of_roof, tsc_hz);
        json_object_set_new(record, "roof", roof);
    }
    return record;
}
