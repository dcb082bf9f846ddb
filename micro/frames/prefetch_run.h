/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_FRAMES_PREFETCH_RUN_H
#define MICRO_FRAMES_PREFETCH_RUN_H

#include "micro/frames/rows.h"

/**
 * As rows_prefetch(), for panels of many lines a step: in a loop that is not unrolled, so that one instruction asks for one line after the
 * other. Of 16 rows of Q6_K, cold on one thread of Zen 5, the loop reads 0.87 to 0.92 of the roof; of two and four lines a turn 0.79 and 0.75; lines
 * in any other order 0.74, from the last to the first 0.68; unrolled 0.55, with a jump after each, at the loop's pace, 0.77. So it is not the pace.
 * It looks as if the prefetcher of the first-level cache, which goes by instructions, ran on after one that asks for line after line, and not after
 * many that each go a step of kilobytes further; without counters that is not known.
 */
ROWS_INLINE void prefetch_run(const uint8_t *weights, size_t bytes, size_t distance)
{
#pragma GCC unroll 1
    for (size_t line = 0; line < (bytes + 48) / 64 * 64; line += 64)
        __builtin_prefetch((const void *)((uintptr_t)weights + distance + line), 0, 3);
}

#endif
