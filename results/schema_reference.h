/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RESULTS_SCHEMA_REFERENCE_H
#define RESULTS_SCHEMA_REFERENCE_H

#include <jansson.h>

/** The schema at a local reference such as "#/$defs/gamma"; NULL if there is none. Borrowed. */
const json_t *schema_at(const json_t *root, const char *reference);

#endif
