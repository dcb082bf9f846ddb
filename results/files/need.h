/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RESULTS_FILES_NEED_H
#define RESULTS_FILES_NEED_H

#include <stddef.h>

/**
 * Memory without which a result would lack a part, or be another one: a statistic, a summary, a row. It is calloc's, to be freed as such.
 * @return NULL without memory, unless the program has said what ends it then
 */
void *need(size_t count, size_t size);

/** What ends this program where there is no memory that it needs; once, at its start. */
void need_or(void (*end)(void));

#endif
