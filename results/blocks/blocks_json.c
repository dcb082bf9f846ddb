/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocks as JSON that a person can review, and back.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/blocks/blocks.h"
#include "results/files/need.h"
#include "results/records/cpu_key.h"
#include "results/records/record.h"
#include "results/text/refuse.h"

/** What a comparison needs to know of where the values come from. */
static const char *const facts[] = {"kneepoint", "schema",   "started", "host", "compiler",
                                    "flags",     "revision", "dirty",   "code"};

static json_t *model_to_json(const struct blocks_model *model)
{
    return json_pack("{s:s?, s:f, s:f, s:f, s:f, s:f, s:I}", "gamma", model->gamma, "computing_cycles",
                     model->computing, "packed_bytes", model->packed_bytes, "vectors", model->vectors, "roof_bytes",
                     model->roof_bytes, "core_hz", model->core_hz, "threads", (json_int_t)model->threads);
}

/** One that is not there, or damaged, is not known: it only explains. */
static struct blocks_model model_from_json(const json_t *object)
{
    const char *gamma = json_string_value(json_object_get(object, "gamma"));
    return (struct blocks_model){
        .gamma = gamma ? strdup(gamma) : NULL,
        .computing = json_number_value(json_object_get(object, "computing_cycles")),
        .packed_bytes = json_number_value(json_object_get(object, "packed_bytes")),
        .vectors = json_number_value(json_object_get(object, "vectors")),
        .roof_bytes = json_number_value(json_object_get(object, "roof_bytes")),
        .core_hz = json_number_value(json_object_get(object, "core_hz")),
        .threads = (unsigned)json_integer_value(json_object_get(object, "threads")),
    };
}

static json_t *cell_to_json(const struct blocks_cell *cell)
{
    json_t *blocks = json_array(), *values = json_array(), *roofs = json_array();
    bool any_roof = false;
    for (size_t i = 0; i < cell->count; i++) {
        json_array_append_new(blocks, json_integer(cell->block[i]));
        json_array_append_new(values, json_real(cell->value[i]));
        json_array_append_new(roofs, record_number_or_null(cell->roof_s[i]));
        any_roof = any_roof || isfinite(cell->roof_s[i]);
    }
    json_t *object =
        json_pack("{s:s, s:s, s:b, s:s, s:I, s:I, s:o, s:o, s:o}", "name", cell->name, "class",
                  compare_class_name(cell->class), "control", (int)cell->control, "unit", cell->cycles ? "cycles" : "s",
                  "kept", (json_int_t)cell->kept, "rejected", (json_int_t)cell->rejected, "timed_s",
                  record_number_or_null(cell->timed_s), "blocks", blocks, "values", values);
    if (object && any_roof)
        json_object_set(object, "roof_s", roofs);
    if (object && cell->model.packed_bytes > 0)
        json_object_set_new(object, "model", model_to_json(&cell->model));
    json_decref(roofs);
    return object;
}

/** "1 2 3": one line is enough for numbers that are not reviewed one by one. */
static json_t *numbers_to_json(const struct blocks *blocks)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = need_stream(&text, &length);
    for (size_t i = 0; stream && i < blocks->count; i++)
        fprintf(stream, "%s%u", i ? " " : "", blocks->number[i]);
    json_t *numbers = stream && need_close(stream) == 0 ? json_string(text) : NULL;
    free(text);
    return numbers;
}

json_t *blocks_to_json(const struct blocks *blocks)
{
    json_t *meta = json_object(), *cells = json_array();
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        json_t *fact = json_object_get(blocks->meta, facts[i]);
        if (fact)
            json_object_set(meta, facts[i], fact);
    }
    cpu_key_take_over(meta, blocks->meta);
    for (size_t i = 0; i < blocks->cells; i++)
        json_array_append_new(cells, cell_to_json(&blocks->cell[i]));
    const struct blocks_noise *noise = &blocks->noise;
    json_t *object = json_pack(
        "{s:o, s:s, s:s, s:s, s:o, s:{s:o, s:o, s:o, s:o, s:o, s:o}, s:o}", "meta", meta, "pages", blocks->pages,
        "clock", blocks->clock, "replicate", blocks_replicate(blocks), "blocks", numbers_to_json(blocks), "noise",
        "neighbour_share", record_number_or_null(noise->neighbour_share), "steal_share",
        record_number_or_null(noise->steal_share), "spread_core", record_number_or_null(noise->spread[COMPARE_CORE]),
        "spread_memory", record_number_or_null(noise->spread[COMPARE_MEMORY]), "control_spread_core",
        record_number_or_null(noise->control_spread[COMPARE_CORE]), "control_spread_memory",
        record_number_or_null(noise->control_spread[COMPARE_MEMORY]), "cells", cells);
    json_t *layout = json_object();
    for (int class = 0; class < COMPARE_CLASSES; class ++) {
        if (isfinite(blocks->layout[class]))
            json_object_set_new(layout, compare_class_name((enum compare_class) class),
                                json_real(blocks->layout[class]));
    }
    if (object && json_object_size(layout))
        json_object_set(object, "layout", layout);
    json_decref(layout);
    if (object && blocks->source[0])
        json_object_set_new(object, "benchmark", json_string(blocks->source));
    return object;
}

/* ---- and back ---- */

/** An array of as many finite numbers > 0 as there are blocks. */
static bool read_values(const json_t *array, size_t count, double *value)
{
    for (size_t i = 0; i < count; i++) {
        value[i] = json_number_value(json_array_get(array, i));
        if (!(value[i] > 0))
            return false;
    }
    return json_array_size(array) == count;
}

static bool read_blocks(const json_t *array, size_t blocks, struct blocks_cell *cell)
{
    for (size_t i = 0; i < cell->count; i++) {
        const json_t *number = json_array_get(array, i);
        json_int_t block = json_integer_value(number);
        if (!json_is_integer(number) || block < 0 || (size_t)block >= blocks ||
            (i && (unsigned)block <= cell->block[i - 1]))
            return false;
        cell->block[i] = (unsigned)block;
    }
    return true;
}

static int cell_from_json(const json_t *object, size_t blocks, struct blocks_cell *cell)
{
    const char *name, *class, *unit;
    int control;
    json_int_t kept, rejected;
    const json_t *numbers, *values;
    if (json_unpack((json_t *)object, "{s:s, s:s, s:b, s:s, s:I, s:I, s:o, s:o}", "name", &name, "class", &class,
                    "control", &control, "unit", &unit, "kept", &kept, "rejected", &rejected, "blocks", &numbers,
                    "values", &values) != 0 ||
        kept < 0 || rejected < 0)
        return -EINVAL;
    *cell = (struct blocks_cell){
        .name = strdup(name),
        .class = strcmp(class, compare_class_name(COMPARE_CORE)) == 0 ? COMPARE_CORE : COMPARE_MEMORY,
        .control = control,
        .cycles = strcmp(unit, "cycles") == 0,
        .timed_s = record_number_or_nan(object, "timed_s"),
        .count = json_array_size(numbers),
        .kept = (size_t)kept,
        .rejected = (size_t)rejected,
        .model = model_from_json(json_object_get(object, "model")),
    };
    cell->value = need(cell->count + 1, sizeof *cell->value);
    cell->roof_s = need(cell->count + 1, sizeof *cell->roof_s);
    cell->block = need(cell->count + 1, sizeof *cell->block);
    if (!cell->name || !cell->value || !cell->roof_s || !cell->block)
        return -ENOMEM;
    const json_t *roofs = json_object_get(object, "roof_s");
    for (size_t i = 0; i < cell->count; i++) {
        const json_t *roof = json_array_get(roofs, i);
        cell->roof_s[i] = json_is_number(roof) ? json_number_value(roof) : NAN;
    }
    return read_blocks(numbers, blocks, cell) && read_values(values, cell->count, cell->value) ? 0 : -EINVAL;
}

static int read_cells(const json_t *array, struct blocks *blocks, char *why, size_t size)
{
    blocks->cell = need(json_array_size(array) + 1, sizeof *blocks->cell);
    if (!blocks->cell)
        return refuse(-ENOMEM, why, size, "no memory left for the cells");
    size_t i;
    json_t *object;
    json_array_foreach(array, i, object)
    {
        int error = cell_from_json(object, blocks->count, &blocks->cell[blocks->cells++]);
        if (error)
            return refuse(error, why, size, "cell %zu is damaged", i + 1);
        if (i && strcmp(blocks->cell[i - 1].name, blocks->cell[i].name) >= 0)
            return refuse(-EINVAL, why, size, "cell %zu, %s, is out of order", i + 1, blocks->cell[i].name);
    }
    return 0;
}

static bool read_numbers(const char *text, struct blocks *blocks)
{
    size_t most = strlen(text) / 2 + 1; /* a digit and a blank each */
    blocks->number = need(most + 1, sizeof *blocks->number);
    for (char *end; blocks->number && blocks->count < most; text = end) {
        unsigned long number = strtoul(text, &end, 10);
        if (end == text)
            break;
        blocks->number[blocks->count++] = (unsigned)number;
    }
    return blocks->number != NULL;
}

int blocks_from_json(const json_t *object, struct blocks *blocks, char *why, size_t size)
{
    const char *pages, *clock, *replicate;
    json_t *meta, *cells;
    const char *numbers;
    *blocks = (struct blocks){0};
    if (json_unpack((json_t *)object, "{s:o, s:s, s:s, s:s, s:s, s:o}", "meta", &meta, "pages", &pages, "clock", &clock,
                    "replicate", &replicate, "blocks", &numbers, "cells", &cells) != 0 ||
        !json_is_object(meta) || !json_is_array(cells))
        return refuse(-EINVAL, why, size, "meta, pages, clock, replicate, blocks or cells is missing or damaged");
    const json_t *noise = json_object_get(object, "noise");
    blocks->meta = json_deep_copy(meta);
    blocks->processes = strcmp(replicate, "process") == 0;
    blocks->noise = (struct blocks_noise){
        .neighbour_share = record_number_or_nan(noise, "neighbour_share"),
        .steal_share = record_number_or_nan(noise, "steal_share"),
        .spread = {[COMPARE_CORE] = record_number_or_nan(noise, "spread_core"),
                   [COMPARE_MEMORY] = record_number_or_nan(noise, "spread_memory")},
        .control_spread = {[COMPARE_CORE] = record_number_or_nan(noise, "control_spread_core"),
                           [COMPARE_MEMORY] = record_number_or_nan(noise, "control_spread_memory")},
    };
    for (int class = 0; class < COMPARE_CLASSES; class ++)
        blocks->layout[class] =
            record_number_or_nan(json_object_get(object, "layout"), compare_class_name((enum compare_class) class));
    snprintf(blocks->pages, sizeof blocks->pages, "%s", pages);
    snprintf(blocks->clock, sizeof blocks->clock, "%s", clock);
    if (json_is_string(json_object_get(object, "benchmark")))
        snprintf(blocks->source, sizeof blocks->source, "%s", json_string_value(json_object_get(object, "benchmark")));
    int error = blocks->meta && read_numbers(numbers, blocks)
                    ? read_cells(cells, blocks, why, size)
                    : refuse(-ENOMEM, why, size, "no memory left for the facts");
    if (error)
        blocks_release(blocks);
    return error;
}
