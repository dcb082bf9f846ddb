/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stddef.h>

/**
 * At the end of a row, what a plain cell is not: its schedule and what that attains of the sum, its member, a speed that
 * is emulated, settings of a table, two blanks before each part. Nothing for a plain one. And energy, where it is counted.
 * @param slowed  what a speed is of: "" for all of a member, or "GEMVs of "
 * @return text
 */
const char *sharing_text(const json_t *record, const char *slowed, char *text, size_t size);

/**
 * For the end of a row: "  12.5 J a token of all packages, which take 20 W when idle" or "  3.21 mJ a call …"; "" where no energy was
 * counted, or too few of it. Pure.
 */
const char *energy_text(const json_t *record, char *text, size_t size);
