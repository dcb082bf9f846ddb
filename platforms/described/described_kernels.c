/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/described/described_fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** A number of either sign. */
static int read_signed(const struct field_reader *reader, const char *path, const char *name, const json_t *object,
                       double *number)
{
    char field[FIELD_PATH_SIZE];
    const json_t *value = json_object_get(object, name);
    if (!json_is_number(value) || !isfinite(json_number_value(value)))
        return field_reject(reader, field_member(field, path, name), value ? "must be a number" : "is missing");
    *number = json_number_value(value);
    return 0;
}

/** omega may be below 0 and above 1, but lies in its own interval. */
static int read_omega(const struct field_reader *reader, const char *path, const json_t *entry,
                      struct described_kernel *kernel)
{
    static const char *const members[] = {"value", "unit", "low", "high", "n", "grade", "source", NULL};
    char field[FIELD_PATH_SIZE];
    const struct unit *unit = NULL;
    int error = field_sourced(reader, path, entry, members);
    if (error == 0)
        error = field_unit(reader, field_member(field, path, "unit"), json_object_get(entry, "unit"), DIMENSION_RATIO,
                           &unit);
    if (error == 0 && strcmp(unit->name, "1") != 0)
        error = field_reject(reader, field, "is '%s', which does not fit here; use 1", unit->name);
    if (error == 0)
        error = read_signed(reader, path, "value", entry, &kernel->omega);
    kernel->omega_low = kernel->omega_high = kernel->omega;
    if (error == 0 && json_object_get(entry, "low"))
        error = read_signed(reader, path, "low", entry, &kernel->omega_low);
    if (error == 0 && json_object_get(entry, "high"))
        error = read_signed(reader, path, "high", entry, &kernel->omega_high);
    if (error == 0 && !(kernel->omega_low <= kernel->omega && kernel->omega <= kernel->omega_high))
        error = field_reject(reader, field_member(field, path, "value"), "is %g, which is not between low and high",
                             kernel->omega);
    if (error == 0 && json_object_get(entry, "n"))
        error = field_number(reader, field_member(field, path, "n"), json_object_get(entry, "n"), false,
                             &kernel->omega_samples);
    if (error == 0 && json_object_get(entry, "grade") && !json_is_string(json_object_get(entry, "grade")))
        error = field_reject(reader, field_member(field, path, "grade"), "must be a string");
    if (error == 0)
        error = field_text(reader, field_member(field, path, "source"), json_object_get(entry, "source"), "",
                           &kernel->source);
    return error;
}

/** Stated of this many activations, and in proportion for others. */
static int read_prepare(const struct field_reader *reader, const char *path, const json_t *entry,
                        struct described_kernel *kernel)
{
    static const char *const members[] = {"value", "unit", "k", "source", NULL};
    char field[FIELD_PATH_SIZE];
    double seconds = 0, k = 0;
    kernel->prepare_s = NAN;
    if (!entry)
        return 0;
    int error = field_quantity(reader, path, entry, DIMENSION_TIME, true, &seconds);
    if (error == 0)
        error = field_sourced(reader, path, entry, members);
    if (error == 0)
        error = field_number(reader, field_member(field, path, "k"), json_object_get(entry, "k"), false, &k);
    if (error == 0)
        kernel->prepare_s = seconds / k;
    return error;
}

static int read_kernel(const struct field_reader *reader, const char *path, const char *name, const json_t *entry,
                       struct described_kernel *kernel)
{
    static const char *const members[] = {"bits", "gamma", "omega", "prepare", NULL};
    char field[FIELD_PATH_SIZE];
    int error = field_object(reader, path, entry);
    if (error == 0)
        error = field_known(reader, path, entry, members);
    if (error == 0)
        error = field_bits(reader, path, entry, &kernel->bits_per_weight);
    if (error == 0)
        error = field_sourced_quantity(reader, field_member(field, path, "gamma"), json_object_get(entry, "gamma"),
                                       DIMENSION_CYCLES, false, &kernel->cycles);
    if (error == 0)
        error = read_omega(reader, field_member(field, path, "omega"), json_object_get(entry, "omega"), kernel);
    if (error == 0)
        error = read_prepare(reader, field_member(field, path, "prepare"), json_object_get(entry, "prepare"), kernel);
    if (error != 0)
        return error;
    kernel->name = strdup(name);
    return kernel->name ? 0 : field_out_of_memory(reader);
}

int described_read_kernels(const struct field_reader *reader, const char *path, json_t *entries,
                           struct described_kind *kind)
{
    if (!entries)
        return 0;
    int error = field_object(reader, path, entries);
    if (error != 0)
        return error;
    if (json_object_size(entries) == 0)
        return field_reject(reader, path, "is empty; leave it out where none is known");
    kind->kernels = calloc(json_object_size(entries), sizeof *kind->kernels);
    if (!kind->kernels)
        return field_out_of_memory(reader);
    const char *name;
    json_t *entry;
    json_object_foreach(entries, name, entry)
    {
        char field[FIELD_PATH_SIZE];
        field_member(field, path, name);
        error = read_kernel(reader, field, name, entry, &kind->kernels[kind->kernel_count++]);
        if (error != 0)
            return error;
    }
    return 0;
}

void described_free_kernels(struct described_kind *kind)
{
    for (size_t i = 0; i < kind->kernel_count; i++) {
        free(kind->kernels[i].name);
        free(kind->kernels[i].source);
    }
    free(kind->kernels);
}
