/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

/** Optional libraries: compiled against declarations alone, found when the tool runs, so that it works without them. */

/** One function to find. */
struct library_symbol {
    const char *name;
    size_t offset; /* of a function pointer in the table of functions */
};

/** A table of functions with the types that the library's own header gives them, and the symbols to fill it with. */
#define LIBRARY_FUNCTION(function)      __typeof__(function) *function;
#define LIBRARY_SYMBOL(table, function) {#function, offsetof(struct table, function)},

/**
 * Load the first library of a NULL-terminated list that loads and fill the table of functions. It stays loaded: such
 * libraries keep state of the process and of other threads.
 * @return        0, -ENOENT if none is installed, -ELIBBAD for one that is broken, lacks a symbol or needs another that is absent; one line
 *                in why
 */
int library_open(const char *const *names, const struct library_symbol *symbols, size_t count, void *functions,
                 char *why, size_t size);
