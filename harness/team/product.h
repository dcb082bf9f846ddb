/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* What the GEMVs and the GEMMs of a team share. */

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "harness/team/team.h"
#include "micro/kernel.h"
#include "platforms/clock/clock.h"

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

/** Of a member whose speed is emulated, at most this many bytes of weights between two waits. */
enum { EMULATED_BYTES = 32 << 10 };

/** Wait, off the memory, until what began at `begin` (tsc_begin) has taken 1 / speed of its time; speed in (0, 1]. */
static inline void emulated_speed_wait(uint64_t begin, double speed)
{
    uint64_t took = tsc_end().ticks - begin, all = (uint64_t)((double)took / speed);
    while (tsc_end().ticks - begin < all)
        team_relax();
}

/** Release the upper halves of vector registers, where there is such a thing: SSE code after code that left them in use may be slow. */
static inline void release_vectors(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx"))
        __asm__ volatile("vzeroupper" ::: "memory");
#endif
}

/** The memory after results, which must not be written to: who allocates results leaves room for this many bytes more. */
enum { RESULT_GUARD_BYTES = 64 };

static inline void result_guard_set(void *after)
{
    enum { GUARD = 0xc7 };
    memset(after, GUARD, RESULT_GUARD_BYTES);
}

static inline bool result_guard_is_whole(const void *after)
{
    uint8_t whole[RESULT_GUARD_BYTES];
    result_guard_set(whole);
    return memcmp(after, whole, sizeof whole) == 0;
}
