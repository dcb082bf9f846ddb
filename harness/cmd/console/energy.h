/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CMD_CONSOLE_ENERGY_H
#define HARNESS_CMD_CONSOLE_ENERGY_H

#include <jansson.h>
#include <stddef.h>

/**
 * For the end of a row: "  12.5 J a token of all packages, which take 20 W when idle" or "  3.21 mJ a call …"; "" where no energy was
 * counted, or too few of it. Pure.
 */
const char *energy_text(const json_t *record, char *text, size_t size);

#endif
