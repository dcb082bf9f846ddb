/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "harness/cells/cell/kind.h"

/**
 * One side of a live comparison: what the user names, and the cells that it offers. Only a fresh process ever loads a
 * subject (harness/compare/live_block.h); the one that compares knows it by its name alone. So a subject that crashes,
 * hangs or writes where it must not harms a block and nothing else.
 */

/** What is wanted of a subject. */
struct subject_wants {
    struct cell_options cells;
    bool check; /* a plug-in: check it before it is measured, not only what it computes meanwhile */
};

/** A kind of subject. A new one is a row of the table in subject.c. */
struct subject_kind {
    const char *what; /* "kernel or sequence", "plug-in", for messages */

    /** Whether the name that the user gave is of this kind. The kinds are asked in order, the last takes all. */
    bool (*claims)(const char *given);

    /**
     * Load the subject and add its cells to an empty plan. Runs in the process of a block, which has no threads yet.
     * What is wrong of a plug-in is withheld in the session, and the rest is planned.
     * @return 0; -EILSEQ it was checked and is wrong, or all of it is; -ENOENT no subject has that name; -ENOTSUP it cannot run here;
     *         -EINVAL the name is ambiguous, or it cannot have that shape, or it is not a plug-in; -ENOMEM; with one line in
     *         why
     */
    int (*plan)(const char *given, struct session *session, const struct subject_wants *wants, struct cells *cells,
                char *why, size_t size);

    /**
     * Two subjects of other names offer the same cells, such as two kernels: their names are left out of the labels.
     */
    bool named_by_subject;
};

/** The kind of what was given on the command line. */
const struct subject_kind *subject_kind_of(const char *given);

/**
 * Under which name a cell is held against one of the other side: "gemv/4096x4096/t1/cold", "gamma", or the whole name
 * for a kind whose subjects offer different kernels.
 * @return label to free(); NULL without memory
 */
char *subject_label(const struct subject_kind *kind, const char *cell_name);
