/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CMD_CONSOLE_SHARING_H
#define HARNESS_CMD_CONSOLE_SHARING_H

#include <jansson.h>
#include <stddef.h>

/**
 * At the end of a row, what a plain cell is not: its schedule and what that attains of the sum, its member, a speed that
 * is emulated, settings of a table. Nothing for a plain one. And energy, where it is counted.
 * @param slowed  what a speed is of: "" for all of a member, or "GEMVs of "
 */
void print_sharing(const json_t *record, const char *slowed);

/** The same as text, two blanks before each part. @return text */
const char *sharing_text(const json_t *record, const char *slowed, char *text, size_t size);

#endif
