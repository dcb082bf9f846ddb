/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/decode/decode_restore.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "harness/cells/cell/fields.h"
#include "harness/cells/decode/decode.h"
#include "harness/cells/product/product_settings.h"
#include "harness/decode/decode_check.h"
#include "results/text/refuse.h"

/** Of the head, beside those of the layers, which have the names that a GEMV's have. */
static const char prefetch_bytes[] = "prefetch_bytes", head_weights[] = "head_weights",
                  head_weights_n[] = "head_weights_n";

/** More meetings, and readings of the clock, than a layer or the head can have. */
enum { A_LAYER_MOST = 64 };

/** Reading the clock takes some ten nanoseconds. */
static const double STAMP_MOST_S = 1e-3;

/* ---- the record of the cell ---- */

static void describe_weights(const struct decode_cell *own, json_t *record)
{
    json_auto_t *head = json_object();
    product_schedule_describe(own->schedule, record);
    product_schedule_describe(own->head_schedule, head);
    if (json_object_size(head)) {
        json_object_set(record, head_weights, json_object_get(head, "weights"));
        json_object_set(record, head_weights_n, json_object_get(head, "weights_n"));
    }
}

/** Distances that were found, by kernel. */
static void describe_distances(const struct decode_found *found, json_t *record)
{
    json_t *distances = found->count ? json_object() : NULL;
    for (size_t i = 0; distances && i < found->count; i++)
        field_set(distances, found->of[i].kernel->name, json_integer((json_int_t)found->of[i].bytes));
    if (distances)
        field_set(record, prefetch_bytes, distances);
}

static void restore_distances(struct decode_work *work, const json_t *record)
{
    const json_t *distances = json_object_get(record, prefetch_bytes);
    struct decode_use uses[DECODE_USES_MOST];
    size_t count = json_is_object(distances) ? decode_uses(work, uses) : 0;
    work->found.count = 0;
    for (size_t i = 0; i < count; i++) {
        const json_t *value = json_object_get(distances, uses[i].kernel->name);
        if (product_distance_is_read(value))
            decode_keep_found(work, uses[i].kernel, (size_t)json_integer_value(value));
    }
}

void decode_describe(const struct cell *cell, json_t *record)
{
    const struct decode_cell *own = decode_cell(cell);
    describe_weights(own, record);
    describe_distances(&own->work.found, record);
    if (!own->joins)
        return;
    field_set(record, "joins", json_integer((json_int_t)own->joins));
    field_set(record, "stamps", json_integer((json_int_t)own->stamps));
    field_set(record, "shared_operand", json_boolean(own->shares_operand));
    field_set_number(record, "distance", own->distance);
    json_t *names = json_array();
    for (int part = 0; part < LAYER_PARTS; part++) {
        if (own->code.part[part])
            json_array_append_new(names, json_string(own->code.part[part]->name));
    }
    field_set(record, "layer_kernels", names);
    if (own->code.quantizer)
        field_set(record, "quantizer", json_string(own->code.quantizer->name));
}

/** @return whether it is a whole number of 1 … most */
static bool read_count(const json_t *value, size_t most, size_t *count)
{
    json_int_t number = json_integer_value(value);
    *count = number > 0 ? (size_t)number : 0;
    return json_is_integer(value) && number > 0 && (uint64_t)number <= most;
}

static bool read_layer_kernel(const json_t *value, struct decode_code *code)
{
    const char *name = json_string_value(value);
    for (const struct layer_kernel *const *at = layer_kernel_all(); name && *at; at++) {
        if (strcmp((*at)->name, name) != 0)
            continue;
        bool first = !code->part[(*at)->part];
        code->part[(*at)->part] = *at;
        return first;
    }
    return false;
}

static bool read_quantizer(const json_t *value, struct decode_code *code)
{
    const char *name = json_string_value(value);
    for (const struct quantizer *const *at = quantizer_all(); name && !code->quantizer && *at; at++)
        code->quantizer = strcmp((*at)->name, name) == 0 ? *at : NULL;
    return code->quantizer;
}

/** Attention over the kind of cache that the cell has. */
static bool read_code(const json_t *record, enum layer_cache cache, struct decode_code *code)
{
    const json_t *kernels = json_object_get(record, "layer_kernels"), *quantizer = json_object_get(record, "quantizer");
    bool known = json_is_array(kernels);
    *code = (struct decode_code){.quantizer = NULL};
    for (size_t i = 0; known && i < json_array_size(kernels); i++)
        known = read_layer_kernel(json_array_get(kernels, i), code);
    const struct layer_kernel *attention = code->part[LAYER_ATTENTION];
    return known && (!attention || attention->attention.cache == cache) &&
           (!quantizer || read_quantizer(quantizer, code));
}

/** As far as a reduced model may be from the scalar one. */
static double distance_most(const struct decode_work *work)
{
    struct decode_weights_request request = {.facts = &work->model};
    for (int role = 0; role < DECODE_ROLES; role++)
        request.kernel[role] = work->kernel;
    return decode_check_bound(&request);
}

static bool read_found(struct decode_cell *own, const json_t *record)
{
    const json_t *shared = json_object_get(record, "shared_operand"), *distance = json_object_get(record, "distance");
    size_t most = A_LAYER_MOST * (own->work.model.layers + 1);
    own->shares_operand = json_is_true(shared);
    own->distance = json_is_number(distance) ? json_number_value(distance) : (double)NAN;
    return read_count(json_object_get(record, "joins"), most, &own->joins) &&
           read_count(json_object_get(record, "stamps"), most, &own->stamps) && json_is_boolean(shared) &&
           own->distance >= 0 && own->distance <= distance_most(&own->work) &&
           read_code(record, own->work.cache, &own->code);
}

/** Runs of former versions say nothing of what was found. */
void decode_restore(struct cell *cell, const json_t *record)
{
    struct decode_cell *own = decode_cell(cell);
    json_t *head = json_object();
    json_object_set(head, "weights", json_object_get(record, head_weights));
    json_object_set(head, "weights_n", json_object_get(record, head_weights_n));
    product_schedule_restore(own->schedule, record);
    product_schedule_restore(own->head_schedule, head);
    json_decref(head);
    restore_distances(&own->work, record);
    own->refused = json_object_get(record, "joins") && !read_found(own, record);
}

bool decode_plausible(const struct cell *cell)
{
    return !decode_cell(cell)->refused;
}

/* ---- the records of its visits ---- */

void decode_describe_samples(const struct cell *cell, size_t first, json_t *record)
{
    const struct decode_cell *own = decode_cell(cell);
    size_t begin = first > own->first_timed ? first - own->first_timed : 0;
    field_set(record, "distinct_layers", json_integer((json_int_t)own->distinct));
    field_set_number(record, "huge_fraction", own->huge_fraction);
    field_set(record, "stamp_s", json_real(own->stamp_s));
    json_t *passes = json_array();
    for (size_t i = begin; i < own->timed; i++) {
        json_t *pass = json_array();
        for (int part = 0; part < DECODE_PARTS; part++)
            json_array_append_new(pass, json_integer((json_int_t)own->parts[i].ns[part]));
        json_array_append_new(passes, pass);
    }
    field_set(record, "parts_ns", passes);
}

/** One pass, which took no longer than an hour. */
static bool read_pass(const json_t *value, struct decode_parts *parts)
{
    static const json_int_t hour_ns = 3600000000000;
    bool whole = json_is_array(value) && json_array_size(value) == DECODE_PARTS;
    for (size_t part = 0; whole && part < DECODE_PARTS; part++) {
        const json_t *ns = json_array_get(value, part);
        whole = json_is_integer(ns) && json_integer_value(ns) >= 0 && json_integer_value(ns) <= hour_ns;
        parts->ns[part] = whole ? (uint64_t)json_integer_value(ns) : 0;
    }
    return whole;
}

/** Those of samples [first, end of the cell's), which follow those that are there; else they are left out. */
static bool read_passes(struct decode_cell *own, const json_t *passes, size_t first, size_t samples)
{
    size_t count = json_array_size(passes);
    if (!json_is_array(passes) || count > samples)
        return false;
    if (!own->timed)
        own->first_timed = first;
    if (first != own->first_timed + own->timed)
        return true;
    for (size_t i = 0; i < count && own->timed < DECODE_TIMED_MOST; i++) {
        if (!read_pass(json_array_get(passes, i), &own->parts[own->timed]))
            return false;
        own->timed++;
    }
    return true;
}

static bool read_visit(struct decode_cell *own, const json_t *record)
{
    const json_t *huge = json_object_get(record, "huge_fraction"), *stamp = json_object_get(record, "stamp_s");
    size_t distinct, former = own->distinct;
    bool right = read_count(json_object_get(record, "distinct_layers"), own->work.model.layers, &distinct);
    own->distinct = former && former < distinct ? former : distinct;
    own->huge_fraction = json_is_number(huge) ? json_number_value(huge) : (double)NAN;
    own->stamp_s = json_number_value(stamp);
    return right && (json_is_null(huge) || (own->huge_fraction >= 0 && own->huge_fraction <= 1)) &&
           json_is_number(stamp) && own->stamp_s > 0 && own->stamp_s < STAMP_MOST_S;
}

int decode_restore_samples(struct cell *cell, size_t first, const json_t *record, char *why, size_t size)
{
    struct decode_cell *own = decode_cell(cell);
    const json_t *passes = json_object_get(record, "parts_ns");
    if (!passes || (read_visit(own, record) && read_passes(own, passes, first, cell->samples.count - first)))
        return 0;
    return refuse(-EINVAL, why, size, "samples of %s have parts, layers or a clock that no pass here has", cell->name);
}
