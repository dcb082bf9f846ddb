/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_COMPARE_STORED_CONFIRMATION_H
#define HARNESS_COMPARE_STORED_CONFIRMATION_H

#include <stddef.h>

#include "results/comparison.h"

/**
 * Compare the suspected cells of a stored comparison with another run of HEAD; those that lose there too fail.
 * @param allowed  bits 1 << comparable_fact that may differ between base and that run
 * @return 0; -EXDEV what cannot be compared, joined with "; " in why; -ENOMEM
 */
int stored_confirmation_make(const struct blocks *base, const struct blocks *again, unsigned allowed,
                             struct comparison *comparison, char *why, size_t size);

#endif
