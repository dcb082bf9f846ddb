/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platforms/described.h"
#include "platforms/described_fields.h"

enum { FILE_VERSION = 1, MOST_BITS_PER_WEIGHT = 64, MOST_CORES = 1 << 20 };

static int read_version(const struct field_reader *reader, const json_t *root)
{
    const json_t *version = json_object_get(root, "kneepoint_platform");
    if (!version)
        return field_reject(reader, "", "is no platform file (it has no \"kneepoint_platform\")");
    if (!json_is_integer(version) || json_integer_value(version) != FILE_VERSION)
        return field_reject(reader, "kneepoint_platform", "must be %d, the version this tool reads", FILE_VERSION);
    return 0;
}

static int read_gamma(const struct field_reader *reader, const char *path, const char *name, const json_t *entry,
                      struct described_gamma *gamma)
{
    char field[FIELD_PATH_SIZE];
    int error = field_quantity(reader, path, entry, DIMENSION_CYCLES, false, &gamma->cycles);
    if (error != 0)
        return error;
    field_member(field, path, "bits");
    error = field_number(reader, field, json_object_get(entry, "bits"), false, &gamma->bits_per_weight);
    if (error == 0 && gamma->bits_per_weight > MOST_BITS_PER_WEIGHT)
        error = field_reject(reader, field, "is %g, but a weight has at most %d", gamma->bits_per_weight,
                             MOST_BITS_PER_WEIGHT);
    if (error != 0)
        return error;
    field_member(field, path, "source");
    error = field_text(reader, field, json_object_get(entry, "source"), "", &gamma->source);
    if (error != 0)
        return error;
    gamma->name = strdup(name);
    return gamma->name ? 0 : field_out_of_memory(reader);
}

static int read_gammas(const struct field_reader *reader, const char *path, json_t *entries,
                       struct described_kind *kind)
{
    int error = field_object(reader, path, entries);
    if (error != 0)
        return error;
    kind->gammas = calloc(json_object_size(entries) + 1, sizeof *kind->gammas);
    if (!kind->gammas)
        return field_out_of_memory(reader);
    const char *name;
    json_t *entry;
    json_object_foreach(entries, name, entry)
    {
        char field[FIELD_PATH_SIZE];
        field_member(field, path, name);
        error = read_gamma(reader, field, name, entry, &kind->gammas[kind->gamma_count++]);
        if (error != 0)
            return error;
    }
    return 0;
}

static int read_cores(const struct field_reader *reader, const char *path, const json_t *value, size_t *cores)
{
    if (!value)
        return field_reject(reader, path, "is missing");
    if (!json_is_integer(value))
        return field_reject(reader, path, "must be a whole number");
    json_int_t count = json_integer_value(value);
    if (count < 1 || count > MOST_CORES)
        return field_reject(reader, path, "is %" JSON_INTEGER_FORMAT ", but must be 1 to %d", count, MOST_CORES);
    *cores = (size_t)count;
    return 0;
}

/* NaN stands for a beta that is still to be derived. */
static int read_beta(const struct field_reader *reader, const char *path, const json_t *value, double *beta)
{
    *beta = NAN;
    return value ? field_quantity(reader, path, value, DIMENSION_BYTES_PER_CYCLE, false, beta) : 0;
}

static int read_kind(const struct field_reader *reader, const char *path, const json_t *entry,
                     struct described_kind *kind)
{
    char field[FIELD_PATH_SIZE];
    int error = field_object(reader, path, entry);
    if (error == 0)
        error =
            field_text(reader, field_member(field, path, "kind"), json_object_get(entry, "kind"), NULL, &kind->kind);
    if (error == 0)
        error = read_cores(reader, field_member(field, path, "cores"), json_object_get(entry, "cores"), &kind->cores);
    if (error == 0)
        error = field_quantity(reader, field_member(field, path, "clock"), json_object_get(entry, "clock"),
                               DIMENSION_FREQUENCY, false, &kind->core_hz);
    if (error == 0)
        error = read_beta(reader, field_member(field, path, "beta"), json_object_get(entry, "beta"), &kind->beta);
    if (error == 0)
        error = read_gammas(reader, field_member(field, path, "gamma"), json_object_get(entry, "gamma"), kind);
    return error;
}

static int refuse_second(const struct field_reader *reader, const struct described_platform *platform, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (strcmp(platform->kinds[i].kind, platform->kinds[index].kind) == 0) {
            char path[FIELD_PATH_SIZE];
            snprintf(path, sizeof path, "kinds[%zu].kind", index);
            return field_reject(reader, path, "'%s' is already kinds[%zu]", platform->kinds[i].kind, i);
        }
    }
    return 0;
}

static int read_kinds(const struct field_reader *reader, const json_t *entries, struct described_platform *platform)
{
    if (!entries)
        return field_reject(reader, "kinds", "is missing");
    if (!json_is_array(entries) || json_array_size(entries) == 0)
        return field_reject(reader, "kinds", "must be an array of at least one kind of core");
    platform->kinds = calloc(json_array_size(entries), sizeof *platform->kinds);
    if (!platform->kinds)
        return field_out_of_memory(reader);
    for (size_t i = 0; i < json_array_size(entries); i++) {
        platform->kind_count++;
        char path[FIELD_PATH_SIZE];
        snprintf(path, sizeof path, "kinds[%zu]", i);
        int error = read_kind(reader, path, json_array_get(entries, i), &platform->kinds[i]);
        if (error == 0)
            error = refuse_second(reader, platform, i);
        if (error != 0)
            return error;
    }
    return 0;
}

/* Equal shares of the machine's read bandwidth, as in [envelope, IV-B]. */
static int derive_betas(const struct field_reader *reader, struct described_platform *platform)
{
    size_t cores = 0;
    for (size_t i = 0; i < platform->kind_count; i++)
        cores += platform->kinds[i].cores;
    for (size_t i = 0; i < platform->kind_count; i++) {
        struct described_kind *kind = &platform->kinds[i];
        if (!isnan(kind->beta))
            continue;
        if (isnan(platform->read_bytes_per_s)) {
            char path[FIELD_PATH_SIZE];
            snprintf(path, sizeof path, "kinds[%zu].beta", i);
            return field_reject(reader, path, "is missing, and there is no read_bandwidth to derive it from");
        }
        kind->beta = platform->read_bytes_per_s / (double)cores / kind->core_hz;
        kind->beta_is_derived = true;
    }
    return 0;
}

static int read_optional(const struct field_reader *reader, const char *name, const json_t *root,
                         enum dimension dimension, bool zero_is_fine, double *value)
{
    const json_t *quantity = json_object_get(root, name);
    *value = NAN;
    return quantity ? field_quantity(reader, name, quantity, dimension, zero_is_fine, value) : 0;
}

static int read_platform(const struct field_reader *reader, const json_t *root, struct described_platform *platform)
{
    int error = field_object(reader, "", root);
    if (error == 0)
        error = read_version(reader, root);
    if (error == 0)
        error = field_text(reader, "name", json_object_get(root, "name"), NULL, &platform->name);
    if (error == 0)
        error = field_text(reader, "title", json_object_get(root, "title"), platform->name, &platform->title);
    if (error == 0)
        error = field_text(reader, "source", json_object_get(root, "source"), "", &platform->source);
    if (error == 0)
        error = read_optional(reader, "read_bandwidth", root, DIMENSION_BANDWIDTH, false, &platform->read_bytes_per_s);
    if (error == 0)
        error = read_optional(reader, "synchronisation", root, DIMENSION_TIME, true, &platform->synchronisation_s);
    if (error == 0)
        error = read_kinds(reader, json_object_get(root, "kinds"), platform);
    return error == 0 ? derive_betas(reader, platform) : error;
}

int described_parse(const char *text, size_t length, const char *origin, struct described_platform *platform, char *why,
                    size_t size)
{
    const struct field_reader reader = {.origin = origin, .why = why, .size = size};
    *platform = (struct described_platform){0};
    json_error_t at;
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &at);
    if (!root)
        return field_reject(&reader, "", "line %d: %s", at.line, at.text);
    int error = read_platform(&reader, root, platform);
    json_decref(root);
    if (error != 0)
        described_free(platform);
    return error;
}
