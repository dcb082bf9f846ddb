/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/model/papers_parts.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_INPUTS = 16 };

/* ---- figures ---- */

static int read_figure(const struct papers_source *source, const char *path, const json_t *text,
                       const char *unit_of_list, struct papers_figure *figure)
{
    const char *rest;
    if (!json_is_string(text))
        return field_reject(source->reader, path, "must be a figure with its unit as text, such as \"98 GB/s\"");
    figure->text = json_string_value(text);
    if (interval_parse(figure->text, &figure->printed, &rest) != 0)
        return field_reject(source->reader, path, "is '%s', which begins with no figure", figure->text);
    const struct unit *unit = unit_find(*rest ? rest : unit_of_list ? unit_of_list : "1");
    if (!unit)
        return field_reject(source->reader, path, "is '%s', an unknown unit", *rest ? rest : unit_of_list);
    figure->unit = unit->name;
    figure->factor = unit->factor;
    return 0;
}

/** The array of a list in any of its forms; NULL if it is none. */
static const json_t *list_of(const json_t *value, const char **unit)
{
    *unit = json_string_value(json_object_get(value, "unit"));
    return json_is_object(value) ? json_object_get(value, "values") : json_is_array(value) ? value : NULL;
}

/** "@column" and "@column[row]": what they mean; row is (size_t)-1 for all. NULL with the reason rejected. */
static const json_t *column_of(const struct papers_source *source, const char *path, const char *reference, size_t *row,
                               int *error)
{
    char name[64];
    size_t length = strcspn(reference, "[");
    snprintf(name, sizeof name, "%.*s", (int)length, reference);
    const json_t *column = json_object_get(source->values, name);
    *row = (size_t)-1;
    *error = 0;
    if (!column) {
        *error = field_reject(source->reader, path, "names '%s', and there is no such column in values", name);
    } else if (reference[length]) {
        char *end;
        const char *unit;
        *row = strtoul(reference + length + 1, &end, 10);
        if (strcmp(end, "]") != 0 || *row >= json_array_size(list_of(column, &unit)))
            *error = field_reject(source->reader, path, "names '%s', and there is no such row", reference);
    }
    return *error ? NULL : column;
}

static int read_figures(const struct papers_source *source, const char *path, const json_t *list, const char *unit,
                        struct papers_input *input)
{
    char item[FIELD_PATH_SIZE];
    size_t count = json_array_size(list), first = 0;
    int error = 0;
    if (count == 0 || count > EXPRESSION_MOST)
        return field_reject(source->reader, path, "must be a list of 1 to %d figures", EXPRESSION_MOST);
    if (source->rows > 0 && count != source->rows)
        return field_reject(source->reader, path, "has %zu figures, but the claim has %zu rows", count, source->rows);
    if (source->rows > 0) {
        first = source->row;
        count = 1;
    }
    input->figures = calloc(count, sizeof *input->figures);
    if (!input->figures)
        return field_out_of_memory(source->reader);
    for (size_t i = 0; i < count && !error; i++) {
        snprintf(item, sizeof item, "%.150s[%zu]", path, first + i);
        error = read_figure(source, item, json_array_get(list, first + i), unit, &input->figures[i]);
    }
    input->count = count;
    return error;
}

static int read_one(const struct papers_source *source, const char *path, const json_t *text, const char *unit,
                    struct papers_input *input)
{
    input->figures = calloc(1, sizeof *input->figures);
    if (!input->figures)
        return field_out_of_memory(source->reader);
    input->count = 1;
    return read_figure(source, path, text, unit, input->figures);
}

static int read_input(const struct papers_source *source, const char *path, const char *name, const json_t *value,
                      struct papers_input *input)
{
    const char *text = json_string_value(value), *unit;
    size_t row = (size_t)-1;
    int error = 0;
    snprintf(input->name, sizeof input->name, "%s", name);
    if (text && *text == '@')
        value = column_of(source, path, text + 1, &row, &error);
    if (error)
        return error;
    const json_t *list = list_of(value, &unit);
    if (!list)
        return read_one(source, path, value, NULL, input);
    return row == (size_t)-1 ? read_figures(source, path, list, unit, input)
                             : read_one(source, path, json_array_get(list, row), unit, input);
}

/* ---- one reading ---- */

static int read_inputs(const struct papers_source *source, const char *path, json_t *entries,
                       struct papers_reading *reading)
{
    const char *name;
    json_t *entry;
    int error = field_object(source->reader, path, entries);
    if (error)
        return error;
    if (json_object_size(entries) > MOST_INPUTS)
        return field_reject(source->reader, path, "must be at most %d", MOST_INPUTS);
    reading->inputs = calloc(json_object_size(entries) + 1, sizeof *reading->inputs);
    if (!reading->inputs)
        return field_out_of_memory(source->reader);
    json_object_foreach(entries, name, entry)
    {
        char field[FIELD_PATH_SIZE];
        field_member(field, path, name);
        if (strlen(name) >= EXPRESSION_NAME_SIZE)
            return field_reject(source->reader, field, "is a name of over %d characters", EXPRESSION_NAME_SIZE - 1);
        if (expression_uses(reading->formula, name) == 0)
            continue; /* another reading's */
        error = read_input(source, field, name, entry, &reading->inputs[reading->input_count++]);
        if (error)
            return error;
    }
    return 0;
}

/** Evaluate the formula, with the ranges of the figures or with the figures themselves. */
static int evaluate(const struct papers_reading *reading, bool as_printed, struct interval *result, char *why,
                    size_t size)
{
    struct expression_name *names = calloc(reading->input_count + 1, sizeof *names);
    struct expression_value value;
    if (!names)
        return -ENOMEM;
    for (size_t i = 0; i < reading->input_count; i++) {
        const struct papers_input *input = &reading->inputs[i];
        snprintf(names[i].name, sizeof names[i].name, "%s", input->name);
        names[i].value.count = input->count;
        for (size_t f = 0; f < input->count; f++) {
            const struct papers_figure *figure = &input->figures[f];
            struct interval range = as_printed ? interval_point(figure->printed.nominal) : figure->printed.range;
            names[i].value.of[f] = interval_multiply(range, interval_point(figure->factor));
        }
    }
    int error = expression_evaluate(reading->formula, names, reading->input_count, &value, why, size);
    free(names);
    if (!error && value.count != 1) {
        snprintf(why, size, "gives a list of %zu numbers", value.count);
        error = -EINVAL;
    }
    *result =
        error ? (struct interval){NAN, NAN} : interval_divide(value.of[0], interval_point(reading->stated.factor));
    return error;
}

static int recompute(const struct papers_source *source, const char *path, struct papers_reading *reading)
{
    char why[256], field[FIELD_PATH_SIZE];
    struct interval nominal;
    int error = evaluate(reading, false, &reading->recomputed, why, sizeof why);
    if (!error)
        error = evaluate(reading, true, &nominal, why, sizeof why);
    if (error == -ENOMEM)
        return field_out_of_memory(source->reader);
    if (error)
        return field_reject(source->reader, field_member(field, path, "formula"), "%s", why);
    reading->nominal = nominal.low;
    return 0;
}

int papers_read_reading(const struct papers_source *source, const char *path, json_t *claim, json_t *alternative,
                        struct papers_reading *reading)
{
    char field[FIELD_PATH_SIZE];
    json_t *formula = json_object_get(alternative, "formula"), *stated = json_object_get(alternative, "stated");
    json_t *inputs = json_object_get(alternative, "inputs"), *merged;
    struct papers_input figure = {0};

    reading->with = alternative ? json_string_value(json_object_get(alternative, "with")) : "";
    if (!reading->with)
        return field_reject(source->reader, field_member(field, path, "with"), "must say what is read differently");
    reading->formula = json_string_value(formula ? formula : json_object_get(claim, "formula"));
    if (!reading->formula)
        return field_reject(source->reader, field_member(field, path, "formula"), "must be a formula as text");
    int error = read_input(source, field_member(field, path, "stated"), "",
                           stated ? stated : json_object_get(claim, "stated"), &figure);
    if (!error && figure.count != 1)
        error = field_reject(source->reader, field, "is a list, but the claim has no rows");
    if (!error)
        reading->stated = figure.figures[0];
    free(figure.figures);
    if (error)
        return error;
    if (inputs && !json_is_object(inputs))
        return field_reject(source->reader, field_member(field, path, "inputs"), "must be an object");
    merged = json_copy(json_object_get(claim, "inputs"));
    if (inputs)
        json_object_update(merged, inputs);
    /* The texts belong to the file, which outlives this object. */
    error = read_inputs(source, field_member(field, path, "inputs"), merged, reading);
    json_decref(merged);
    return error ? error : recompute(source, path, reading);
}

void papers_free_reading(struct papers_reading *reading)
{
    for (size_t i = 0; i < reading->input_count; i++)
        free(reading->inputs[i].figures);
    free(reading->inputs);
}
