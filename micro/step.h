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

enum { STEP_COLUMNS_MOST = 4096 };

/**
 * Adds to the rows of this many panels what a step of this many columns adds, floats and the magnitudes of their terms, or with a NULL of these integers
 * of 32 bits that wrap. Activations are as step_fill() writes them.
 */
void step_refer(const struct kernel *kernel, size_t columns, size_t panels, const struct sequence_data *data,
                void *rows, double *magnitude);

/**
 * A random step of this many panels, and random activations from -largest to largest as the kernel prepares them; without row(), and where it prepares
 * nothing, after that the activations themselves.
 */
void step_fill(const struct kernel *kernel, size_t columns, size_t panels, float largest, uint8_t *weights,
               uint8_t *activations, uint64_t seed);

/**
 * Uops of the loops of gamma, of as many accumulators as the kernel has, as the compiler made them: what a loop of 2U steps has more than one of U. Made
 * by scripts/uops.c.
 */
struct step_uops {
    const char *name;
    uint32_t more;
};
/** One row a sequence in C; ends with a NULL name. */
extern const struct step_uops step_uops[];

#endif
