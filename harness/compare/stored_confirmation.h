/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_COMPARE_STORED_CONFIRMATION_H
#define HARNESS_COMPARE_STORED_CONFIRMATION_H

#include <stddef.h>

#include "results/comparison/comparison.h"

/** Runs of both sides that the comparison which they confirm did not have. */
struct stored_confirmation {
    const struct blocks *base; /* measured again, or the same as before */
    const struct blocks *head;
    enum compare_confirming confirming; /* which of it */
    unsigned allowed;                   /* bits 1 << comparable_fact that may differ between both */
};

/**
 * Compare the suspected cells of a stored comparison once more; those that lose there too fail, or stay suspected where
 * base is the same.
 * @return 0; -EXDEV what cannot be compared, joined with "; " in why; -ENOMEM
 */
int stored_confirmation_make(const struct stored_confirmation *again, struct comparison *comparison, char *why,
                             size_t size);

#endif
