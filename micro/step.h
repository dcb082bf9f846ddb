/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_STEP_H
#define MICRO_STEP_H

#include <stdint.h>

#include "micro/kernel.h"
#include "micro/sequence.h"

/**
 * What the sequence of a kernel in C computes, which is what the kernel does with one step of its format (micro/frames/gamma.h): reference and fill of
 * struct sequence, from the format's definition and from the kernel's own row().
 */

enum { STEP_COLUMNS_MOST = 256 };

/** Adds to the rows of a panel, floats, what a step of it adds, and the magnitudes of its terms. */
void step_refer(const struct kernel *kernel, const struct sequence_data *data, float *rows, double *magnitude);

/** A random step, and random activations as the kernel prepares them. */
void step_fill(const struct kernel *kernel, uint8_t *weights, uint8_t *activations, uint64_t seed);

/** Uops of the loops of gamma as the compiler made them: what a loop of 2U steps has more than one of U. Made by scripts/uops.c. */
struct step_uops {
    const char *name;
    uint32_t more;
};
/** One row a sequence in C; ends with a NULL name. */
extern const struct step_uops step_uops[];

#endif
