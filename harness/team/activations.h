/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_TEAM_ACTIVATIONS_H
#define HARNESS_TEAM_ACTIVATIONS_H

#include "micro/kernel.h"

/** What a product without a model multiplies by, drawn; the same of a GEMV and of each token of a GEMM. */

/** The next 31 random bits of a state that was odd at first. */
static inline uint64_t activations_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/**
 * Draw k activations of the type that the kernel takes: floats in [-1, 1), or integers from -127 to 127.
 * @return the sum of integers; 0 of floats
 */
static inline int32_t activations_draw(const struct kernel *kernel, void *activations, size_t k, uint64_t *state)
{
    int32_t sum = 0;
    for (size_t i = 0; i < k; i++) {
        uint64_t bits = activations_random(state);
        if (kernel->takes == KERNEL_TAKES_F32) {
            ((float *)activations)[i] = (float)(int32_t)(bits >> 7) * 0x1p-23f - 1;
            continue;
        }
        int8_t drawn = (int8_t)((int)(bits % 255) - 127);
        ((int8_t *)activations)[i] = drawn;
        sum += drawn;
    }
    return sum;
}

#endif
