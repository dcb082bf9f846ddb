/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CMD_EXPLAIN_COMMAND_TERMS_H
#define HARNESS_CMD_EXPLAIN_COMMAND_TERMS_H

#include <stddef.h>

/** What a number that commands print is. */
struct term {
    const char *name;   /* as in tables: "gamma" */
    const char *others; /* other words for it, a blank between and at either end; NULL: none */
    const char *unit;   /* NULL: it has none */
    const char *what;   /* what it is, in full sentences */
    const char *how;    /* how it is measured here */
    const char *alone;  /* commands that measure it alone, a line each; NULL: it is none that is measured */
};

extern const struct term terms[];
extern const size_t term_count;

/** By name or another word, in any case; NULL: there is none. */
const struct term *term_find(const char *word);

#endif
