/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "harness/cells/cell/cell.h"

/**
 * What a run keeps of a decode cell so that one which is read back says what the measured one said: of all its visits in
 * the record of the cell, of each visit beside its samples. Bytes follow from the work and are in neither. Members of a kind
 * of those names.
 */
void decode_describe(const struct cell *cell, json_t *record);
void decode_restore(struct cell *cell, const json_t *record);
bool decode_plausible(const struct cell *cell);

void decode_describe_samples(const struct cell *cell, size_t first, json_t *record);
int decode_restore_samples(struct cell *cell, size_t first, const json_t *record, char *why, size_t size);
