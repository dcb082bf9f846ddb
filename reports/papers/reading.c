/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/papers/claim.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/files/need.h"

enum { MOST_INPUTS = 16 };

/* ---- inputs ---- */

static const struct papers_column *find_column(const struct papers_source *source, const char *name)
{
    for (size_t i = 0; i < source->column_count; i++) {
        if (strcmp(source->columns[i].name, name) == 0)
            return &source->columns[i];
    }
    return NULL;
}

static int copy_values(const struct papers_source *source, const struct papers_value *values, size_t count,
                       struct papers_input *input)
{
    input->values.of = need(count + 1, sizeof *values);
    if (!input->values.of)
        return field_out_of_memory(source->reader);
    memcpy(input->values.of, values, count * sizeof *values);
    input->values.count = count;
    return 0;
}

/** The list, or of a claim with rows the one value of its row. */
static int take_list(const struct papers_source *source, const char *path, const struct papers_values *list,
                     struct papers_input *input)
{
    if (list->count == 0 || list->count > EXPRESSION_MOST)
        return field_reject(source->reader, path, "must be a list of 1 to %d numbers", EXPRESSION_MOST);
    if (source->rows == 0)
        return copy_values(source, list->of, list->count, input);
    if (list->count != source->rows)
        return field_reject(source->reader, path, "has %zu numbers, but the claim has %zu rows", list->count,
                            source->rows);
    return copy_values(source, &list->of[source->row], 1, input);
}

/** "column" and "column[row]". */
static int read_reference(const struct papers_source *source, const char *path, const char *reference,
                          struct papers_input *input)
{
    char name[64], *end;
    size_t length = strcspn(reference, "[");
    snprintf(name, sizeof name, "%.*s", (int)length, reference);
    const struct papers_column *column = find_column(source, name);
    if (!column)
        return field_reject(source->reader, path, "names '%s', and there is no such column in values", name);
    if (!reference[length])
        return take_list(source, path, &column->values, input);
    size_t row = strtoul(reference + length + 1, &end, 10);
    if (strcmp(end, "]") != 0 || row >= column->values.count)
        return field_reject(source->reader, path, "names '%s', and there is no such row", reference);
    return copy_values(source, &column->values.of[row], 1, input);
}

static int read_list(const struct papers_source *source, const char *path, const json_t *value,
                     struct papers_input *input)
{
    struct papers_values list = {0};
    int error = papers_read_list(source->reader, path, value, &list);
    if (!error)
        error = take_list(source, path, &list, input);
    free(list.of);
    return error;
}

static int read_input(const struct papers_source *source, const char *path, const char *name, const json_t *value,
                      struct papers_input *input)
{
    const char *text = json_string_value(value);
    struct papers_value one;
    snprintf(input->name, sizeof input->name, "%s", name);
    if (text && *text == '@')
        return read_reference(source, path, text + 1, input);
    if (papers_is_list(value))
        return read_list(source, path, value, input);
    int error = papers_read_value(source->reader, path, value, NULL, &one);
    return error ? error : copy_values(source, &one, 1, input);
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
    reading->inputs = need(json_object_size(entries) + 1, sizeof *reading->inputs);
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

/** Evaluate the formula, with the ranges of the values or with the values as printed. */
static int evaluate(const struct papers_reading *reading, bool as_printed, struct interval *result, char *why,
                    size_t size)
{
    struct expression_name *names = need(reading->input_count + 1, sizeof *names);
    struct expression_value computed;
    if (!names)
        return -ENOMEM;
    for (size_t i = 0; i < reading->input_count; i++) {
        const struct papers_input *input = &reading->inputs[i];
        snprintf(names[i].name, sizeof names[i].name, "%s", input->name);
        names[i].value.count = input->values.count;
        for (size_t v = 0; v < input->values.count; v++) {
            const struct papers_value *value = &input->values.of[v];
            struct interval range = as_printed ? interval_point(value->printed.nominal) : value->printed.range;
            names[i].value.of[v] = interval_multiply(range, interval_point(value->factor));
        }
    }
    int error = expression_evaluate(reading->formula, names, reading->input_count, &computed, why, size);
    free(names);
    if (!error && computed.count != 1) {
        snprintf(why, size, "gives a list of %zu numbers", computed.count);
        error = -EINVAL;
    }
    *result =
        error ? (struct interval){NAN, NAN} : interval_divide(computed.of[0], interval_point(reading->stated.factor));
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
    struct papers_input value = {0};

    reading->with = alternative ? json_string_value(json_object_get(alternative, "with")) : "";
    if (!reading->with)
        return field_reject(source->reader, field_member(field, path, "with"), "must say what is read differently");
    reading->formula = json_string_value(formula ? formula : json_object_get(claim, "formula"));
    if (!reading->formula)
        return field_reject(source->reader, field_member(field, path, "formula"), "must be a formula as text");
    int error = read_input(source, field_member(field, path, "stated"), "",
                           stated ? stated : json_object_get(claim, "stated"), &value);
    if (!error && value.values.count != 1)
        error = field_reject(source->reader, field, "is a list, but the claim has no rows");
    if (!error)
        reading->stated = value.values.of[0];
    free(value.values.of);
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
        free(reading->inputs[i].values.of);
    free(reading->inputs);
}
