/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "platforms/described/described.h"
#include "platforms/described/units.h"

/**
 * Typed fields of a description, each refused with the file, its JSON path and the reason.
 * Errors: -EINVAL with the reason in the reader's why, -ENOMEM.
 */
struct field_reader {
    const char *origin; /* file */
    char *why;
    size_t size;
};

enum { FIELD_PATH_SIZE = 192 };

/** Path of a member, "parent.member", or "member" below "". One too long for a human to read is cut. Returns path. */
const char *field_member(char path[FIELD_PATH_SIZE], const char *parent, const char *member);

/** Refuse the field at path ("" for the file): returns -EINVAL. */
int field_reject(const struct field_reader *reader, const char *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Refuse the file since there is no memory for it: returns -ENOMEM. */
int field_out_of_memory(const struct field_reader *reader);

/** Require an object. */
int field_object(const struct field_reader *reader, const char *path, const json_t *value);

/** Copy a string. A missing one takes `otherwise`; without that it is required, and not empty. */
int field_text(const struct field_reader *reader, const char *path, const json_t *value, const char *otherwise,
               char **text);

/** Read a number above 0, or at least 0 where zero_is_fine. */
int field_number(const struct field_reader *reader, const char *path, const json_t *value, bool zero_is_fine,
                 double *number);

/** Refuse a member that is not among the NULL-terminated names: a misspelt one would be ignored silently. */
int field_known(const struct field_reader *reader, const char *path, const json_t *object, const char *const *names);

/** Read a unit's name. dimension DIMENSIONS: any. */
int field_unit(const struct field_reader *reader, const char *path, const json_t *value, enum dimension dimension,
               const struct unit **unit);

/** Read {"value": number, "unit": string} and convert it to B/s, Hz, B/cycle, cycles, B or s. */
int field_quantity(const struct field_reader *reader, const char *path, const json_t *value, enum dimension dimension,
                   bool zero_is_fine, double *converted);

/** Require of a quantity all but its number: no member that is not among the names, and a source that is text. */
int field_sourced(const struct field_reader *reader, const char *path, const json_t *value, const char *const *names);

/** A quantity that has a value, a unit and perhaps a source, and nothing else. */
int field_sourced_quantity(const struct field_reader *reader, const char *path, const json_t *value,
                           enum dimension dimension, bool zero_is_fine, double *converted);

/** Read the member "bits" of an object: bits per weight, above 0 and at most 64. */
int field_bits(const struct field_reader *reader, const char *path, const json_t *object, double *bits);

/** Read what a kind of core says of kernels, the member "kernels"; NULL: nothing. Errors as described_fields.h. */
int described_read_kernels(const struct field_reader *reader, const char *path, json_t *entries,
                           struct described_kind *kind);

void described_free_kernels(struct described_kind *kind);
