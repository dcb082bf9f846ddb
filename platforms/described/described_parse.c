/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The format is also written down in platforms/platform.schema.json; a test holds both against each other.
 */
#include "platforms/described/described_open.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "platforms/described/described_fields.h"

enum { FILE_VERSION = 1, MOST_CORES = 1 << 20 };

static int read_version(const struct field_reader *reader, const json_t *root)
{
    const json_t *version = json_object_get(root, "kneepoint_platform");
    if (!version)
        return field_reject(reader, "", "is no platform file (it has no \"kneepoint_platform\")");
    if (!json_is_integer(version) || json_integer_value(version) != FILE_VERSION)
        return field_reject(reader, "kneepoint_platform", "must be %d, the version this tool reads", FILE_VERSION);
    return 0;
}

/* NaN for a field that is not there. */
static int read_optional(const struct field_reader *reader, const char *parent, const json_t *object, const char *name,
                         enum dimension dimension, bool zero_is_fine, double *value)
{
    char field[FIELD_PATH_SIZE];
    const json_t *entry = json_object_get(object, name);
    *value = NAN;
    return entry ? field_sourced_quantity(reader, field_member(field, parent, name), entry, dimension, zero_is_fine,
                                          value)
                 : 0;
}

static int read_limit(const struct field_reader *reader, const char *path, const json_t *entry,
                      enum described_limit *limit)
{
    const json_t *value = json_object_get(entry, "limit");
    const char *name = json_string_value(value);
    *limit = DESCRIBED_EXACT;
    if (!value)
        return 0;
    if (name && strcmp(name, "at_least") == 0)
        *limit = DESCRIBED_AT_LEAST;
    else if (name && strcmp(name, "at_most") == 0)
        *limit = DESCRIBED_AT_MOST;
    char field[FIELD_PATH_SIZE];
    return *limit != DESCRIBED_EXACT
               ? 0
               : field_reject(reader, field_member(field, path, "limit"), "must be \"at_least\" or \"at_most\"");
}

static const char *const limited_members[] = {"value", "unit", "limit", "source", NULL};

static int read_limited(const struct field_reader *reader, const char *name, const json_t *root,
                        enum dimension dimension, double *value, enum described_limit *limit)
{
    const json_t *entry = json_object_get(root, name);
    *value = NAN;
    if (!entry)
        return 0;
    int error = field_quantity(reader, name, entry, dimension, false, value);
    if (error == 0)
        error = field_sourced(reader, name, entry, limited_members);
    return error == 0 ? read_limit(reader, name, entry, limit) : error;
}

/* ---- gamma ---- */

static int read_gamma(const struct field_reader *reader, const char *path, const char *name, const json_t *entry,
                      struct described_gamma *gamma)
{
    static const char *const members[] = {"value", "unit", "bits", "source", NULL};
    char field[FIELD_PATH_SIZE];
    int error = field_quantity(reader, path, entry, DIMENSION_CYCLES, false, &gamma->cycles);
    if (error != 0)
        return error;
    error = field_bits(reader, path, entry, &gamma->bits_per_weight);
    if (error == 0)
        error = field_sourced(reader, path, entry, members);
    if (error == 0)
        error = field_text(reader, field_member(field, path, "source"), json_object_get(entry, "source"), "",
                           &gamma->source);
    if (error != 0)
        return error;
    gamma->name = strdup(name);
    return gamma->name ? 0 : field_out_of_memory(reader);
}

static int read_gammas(const struct field_reader *reader, const char *path, json_t *entries,
                       struct described_kind *kind)
{
    if (!entries)
        return 0;
    int error = field_object(reader, path, entries);
    if (error != 0)
        return error;
    if (json_object_size(entries) == 0)
        return field_reject(reader, path, "is empty; leave it out where none is known");
    kind->gammas = calloc(json_object_size(entries), sizeof *kind->gammas);
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

/* ---- kinds of cores ---- */

/* 0 for none stated. */
static int read_cores(const struct field_reader *reader, const char *path, const json_t *value, size_t *cores)
{
    if (!value)
        return 0;
    double count = json_number_value(value);
    if (!json_is_number(value) || count != floor(count))
        return field_reject(reader, path, "must be a whole number");
    if (count < 1 || count > MOST_CORES)
        return field_reject(reader, path, "is %.0f, but must be 1 to %d", count, MOST_CORES);
    *cores = (size_t)count;
    return 0;
}

/* A gamma is of no use without the clock that gives its cycles a length and the cores that run it. */
static int require_for_gamma(const struct field_reader *reader, const char *path, const json_t *entry)
{
    static const char *const needed[] = {"cores", "clock"};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        char field[FIELD_PATH_SIZE];
        if (!json_object_get(entry, needed[i]))
            return field_reject(reader, field_member(field, path, needed[i]), "is missing beside a gamma");
    }
    return 0;
}

static int read_kind(const struct field_reader *reader, const char *path, const json_t *entry,
                     struct described_kind *kind)
{
    static const char *const members[] = {"kind",
                                          "microarchitecture",
                                          "microarchitecture_stated",
                                          "cores",
                                          "clock",
                                          "beta",
                                          "beta_alone",
                                          "gamma",
                                          "kernels",
                                          NULL};
    char field[FIELD_PATH_SIZE];
    int error = field_object(reader, path, entry);
    if (error == 0)
        error = field_known(reader, path, entry, members);
    if (error == 0)
        error =
            field_text(reader, field_member(field, path, "kind"), json_object_get(entry, "kind"), NULL, &kind->kind);
    if (error == 0)
        error = field_text(reader, field_member(field, path, "microarchitecture"),
                           json_object_get(entry, "microarchitecture"), "", &kind->microarchitecture);
    if (error == 0)
        error = field_text(reader, field_member(field, path, "microarchitecture_stated"),
                           json_object_get(entry, "microarchitecture_stated"), "", &kind->microarchitecture_stated);
    if (error == 0)
        error = read_cores(reader, field_member(field, path, "cores"), json_object_get(entry, "cores"), &kind->cores);
    if (error == 0)
        error = read_optional(reader, path, entry, "clock", DIMENSION_FREQUENCY, false, &kind->core_hz);
    if (error == 0)
        error = read_optional(reader, path, entry, "beta", DIMENSION_BYTES_PER_CYCLE, false, &kind->beta);
    if (error == 0)
        error = read_optional(reader, path, entry, "beta_alone", DIMENSION_BYTES_PER_CYCLE, false, &kind->beta_alone);
    if (error == 0)
        error = read_gammas(reader, field_member(field, path, "gamma"), json_object_get(entry, "gamma"), kind);
    if (error == 0)
        error = described_read_kernels(reader, field_member(field, path, "kernels"), json_object_get(entry, "kernels"),
                                       kind);
    if (error == 0 && kind->kernel_count > 0 && kind->gamma_count == 0)
        error = field_reject(reader, field_member(field, path, "gamma"), "is missing beside kernels");
    return error == 0 && kind->gamma_count > 0 ? require_for_gamma(reader, path, entry) : error;
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
        return 0;
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
    bool all_counted = true;
    for (size_t i = 0; i < platform->kind_count; i++) {
        cores += platform->kinds[i].cores;
        all_counted = all_counted && platform->kinds[i].cores > 0;
    }
    for (size_t i = 0; i < platform->kind_count; i++) {
        struct described_kind *kind = &platform->kinds[i];
        if (!isnan(kind->beta) || kind->gamma_count == 0)
            continue;
        char path[FIELD_PATH_SIZE];
        snprintf(path, sizeof path, "kinds[%zu].beta", i);
        if (isnan(platform->read_bytes_per_s))
            return field_reject(reader, path, "is missing, and there is no read_bandwidth to derive it from");
        if (platform->read_limit != DESCRIBED_EXACT)
            return field_reject(reader, path, "is missing, and the read_bandwidth is only a limit");
        if (!all_counted)
            return field_reject(reader, path, "is missing, and a kind without cores leaves their number open");
        kind->beta = platform->read_bytes_per_s / (double)cores / kind->core_hz;
        kind->beta_is_derived = true;
    }
    return 0;
}

/* ---- facts ---- */

static int read_fact(const struct field_reader *reader, const char *path, const char *name, const json_t *entry,
                     struct described_fact *fact)
{
    char field[FIELD_PATH_SIZE];
    const struct unit *unit = NULL;
    int error = field_object(reader, path, entry);
    if (error == 0)
        error = field_number(reader, field_member(field, path, "value"), json_object_get(entry, "value"), true,
                             &fact->value);
    if (error == 0)
        error =
            field_unit(reader, field_member(field, path, "unit"), json_object_get(entry, "unit"), DIMENSIONS, &unit);
    if (error == 0)
        error = field_sourced(reader, path, entry, limited_members);
    if (error == 0)
        error = read_limit(reader, path, entry, &fact->limit);
    if (error == 0)
        error = field_text(reader, field_member(field, path, "source"), json_object_get(entry, "source"), NULL,
                           &fact->source);
    if (error != 0)
        return error;
    fact->unit = unit->name;
    fact->name = strdup(name);
    return fact->name ? 0 : field_out_of_memory(reader);
}

static int read_facts(const struct field_reader *reader, json_t *entries, struct described_platform *platform)
{
    if (!entries)
        return 0;
    int error = field_object(reader, "facts", entries);
    if (error != 0)
        return error;
    platform->facts = calloc(json_object_size(entries) + 1, sizeof *platform->facts);
    if (!platform->facts)
        return field_out_of_memory(reader);
    const char *name;
    json_t *entry;
    json_object_foreach(entries, name, entry)
    {
        char field[FIELD_PATH_SIZE];
        field_member(field, "facts", name);
        error = read_fact(reader, field, name, entry, &platform->facts[platform->fact_count++]);
        if (error != 0)
            return error;
    }
    return 0;
}

/* Of what was left out the model uses nothing. */
static int check_left_out(const struct field_reader *reader, json_t *entries)
{
    const char *name;
    json_t *why;
    char field[FIELD_PATH_SIZE];
    int error = entries ? field_object(reader, "left_out", entries) : 0;
    json_object_foreach(error ? NULL : entries, name, why)
    {
        field_member(field, "left_out", name);
        if (!json_is_string(why))
            return field_reject(reader, field, "must be a string");
        if (json_string_length(why) == 0)
            return field_reject(reader, field, "must not be empty");
    }
    return error;
}

/* ---- the whole ---- */

static int read_platform(const struct field_reader *reader, const json_t *root, struct described_platform *platform)
{
    static const char *const members[] = {"kneepoint_platform",
                                          "name",
                                          "title",
                                          "source",
                                          "read_bandwidth",
                                          "peak_bandwidth",
                                          "matrix_peak",
                                          "launch",
                                          "memory_capacity",
                                          "synchronisation",
                                          "start",
                                          "kinds",
                                          "facts",
                                          "left_out",
                                          NULL};
    int error = field_object(reader, "", root);
    if (error == 0)
        error = read_version(reader, root);
    if (error == 0)
        error = field_known(reader, "", root, members);
    if (error == 0)
        error = field_text(reader, "name", json_object_get(root, "name"), NULL, &platform->name);
    if (error == 0)
        error = field_text(reader, "title", json_object_get(root, "title"), platform->name, &platform->title);
    if (error == 0)
        error = field_text(reader, "source", json_object_get(root, "source"), "", &platform->source);
    if (error == 0)
        error = read_limited(reader, "read_bandwidth", root, DIMENSION_BANDWIDTH, &platform->read_bytes_per_s,
                             &platform->read_limit);
    if (error == 0)
        error = read_limited(reader, "peak_bandwidth", root, DIMENSION_BANDWIDTH, &platform->peak_bytes_per_s,
                             &platform->peak_limit);
    if (error == 0)
        error = read_limited(reader, "matrix_peak", root, DIMENSION_OPERATIONS, &platform->matrix_ops_per_s,
                             &platform->matrix_limit);
    if (error == 0)
        error = read_optional(reader, "", root, "launch", DIMENSION_TIME, true, &platform->launch_s);
    if (error == 0)
        error = read_optional(reader, "", root, "memory_capacity", DIMENSION_BYTES, false, &platform->memory_bytes);
    if (error == 0)
        error = read_optional(reader, "", root, "synchronisation", DIMENSION_TIME, true, &platform->synchronisation_s);
    if (error == 0)
        error = read_optional(reader, "", root, "start", DIMENSION_TIME, true, &platform->start_s);
    if (error == 0)
        error = read_kinds(reader, json_object_get(root, "kinds"), platform);
    if (error == 0)
        error = read_facts(reader, json_object_get(root, "facts"), platform);
    if (error == 0)
        error = check_left_out(reader, json_object_get(root, "left_out"));
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
