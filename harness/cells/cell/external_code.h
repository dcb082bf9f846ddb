/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>

#include "harness/cells/cell/cell.h"

/**
 * Code of others that a cell runs: a kernel or sequence of a plug-in, or a sequence that a user gave as a file. It may do anything to the
 * process that calls it, so it is measured in another one (visit_apart.h), and what goes wrong there ends its own cells alone.
 */
enum { FOREIGN_NAMES = 240 };

struct external_code {
    const char *name;
    const struct plugin *plugin;     /* NULL: a user's file */
    const struct sequence *sequence; /* of that file; else NULL */
};

/** Code of others that a cell runs, by number from 0 on, each once. @return false after the last; of number 0: the cell runs nothing but ours */
bool external_code_at(const struct session *session, const struct cell *cell, size_t number,
                      struct external_code *code);

bool external_code_is_any(const struct session *session, const struct cell *cell);

/** "a.x.avx2", or "a.x.avx2 or b.y.avx2" if it is unknown which of them it was; a cell of ours by what it runs. */
const char *external_code_name(const struct session *session, const struct cell *cell, char *text, size_t size);

/** Something of it was caught in another cell: the cell's why says what. */
bool external_code_is_withheld(const struct session *session, struct cell *cell);

/**
 * A cell went wrong, and its why says how: if it runs code of others, that is left out, of all cells.
 * @return 0; -ENOENT it is all ours; -ENOMEM
 */
int external_code_withhold(struct session *session, struct cells *cells, const struct cell *cell);
