/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gemv() of a kernel in C whose panels are single rows, one after the other. The including .c defines, before it,
 *
 *   static inline void rows(const struct gemv_slice *slice, const uint8_t *const *weights, const size_t *row, int
 * count)
 *
 * which multiplies `count` rows side by side (ROWS_TOGETHER: a constant where it is inlined) and stores results
 * row[0 … count - 1] of the slice.
 *
 * A core reads most when it reads several streams at once with a prefetch ahead of each; the streams lie an odd number
 * of rows apart, since those a power of two apart share cache sets and memory banks (microkernel.h). ROWS_TOGETHER may be defined before.
 */
#ifndef MICRO_FRAMES_ROWS_H
#define MICRO_FRAMES_ROWS_H

#include "micro/isa/rows_inline.h"
#include "micro/kernel.h"

/* whom a rendering is of, and its sequence */
#ifndef KERNEL_ORIGIN
#define KERNEL_ORIGIN "kneepoint"
#endif

#ifndef ROWS_TOGETHER
#define ROWS_TOGETHER 4
#endif

/**
 * Keeps a vector that is used more than once in its register. A compiler that finds it in memory makes each use a load
 * of its own, and loads are what is short: one of 64 bytes a cycle on Zen 4, and two where it crosses a line.
 */
#ifdef __aarch64__
#define ROWS_IN_REGISTER(vector) __asm__("" : "+w"(vector))
#else
#define ROWS_IN_REGISTER(vector) __asm__("" : "+v"(vector))
#endif

/**
 * Hides where activations lie, so that each row reads them as operands in memory: kept for all rows, they would be more
 * than 16 registers hold, and the compiler would copy them to the stack, to be read from there.
 */
#define ROWS_READ_AGAIN(pointer) __asm__ volatile("" : "+r"(pointer))

/** Rows of each run, the next ones. */
static inline size_t rows_of_each_run(size_t count)
{
    size_t each = count / ROWS_TOGETHER;
    return each > 2 && each % 2 == 0 ? each - 1 : each;
}

/**
 * Addresses of the next rows side by side, `apart` bytes from each other. One by one in integer registers: a compiler multiplies them as a vector
 * else, and moves each to where it is needed.
 */
ROWS_INLINE void rows_addresses(const uint8_t **weights, const uint8_t *at, size_t apart)
{
#pragma GCC unroll 4
    for (size_t way = 0; way < ROWS_TOGETHER; way++, at += apart) {
        __asm__("" : "+r"(at));
        weights[way] = at;
    }
}

/**
 * weights + at, hidden: what lies a constant further is then read from there by its displacement, where a compiler would make a pointer of each
 * such place before the loop, of more than there are registers.
 */
ROWS_INLINE const uint8_t *rows_at(const uint8_t *weights, size_t at)
{
    weights += at;
    __asm__("" : "+r"(weights));
    return weights;
}

/** The distance of a prefetch from the start of a row, at `at` of it; hidden likewise. */
ROWS_INLINE size_t rows_distance(size_t at, size_t distance)
{
    size_t ahead = at + distance;
    __asm__("" : "+r"(ahead));
    return ahead;
}

/**
 * Prefetch `bytes` of a row into L1. In integers, for what lies ahead need not be memory. Less than a quarter of a line at the end is left to the
 * core's own prefetcher: blocks of 66 bytes would else ask for every line twice. Once: asked for in L2 as well, twice as far ahead, rows of short
 * blocks read up to a sixth less on Zen 5, and none read more.
 */
ROWS_INLINE void rows_prefetch(const uint8_t *weights, size_t bytes, size_t distance)
{
    for (size_t line = 0; line < (bytes + 48) / 64 * 64; line += 64)
        __builtin_prefetch((const void *)((uintptr_t)weights + distance + line), 0, 3);
}

/**
 * gemv() by rows_together(slice, first, each, apart): `each` rows of each of ROWS_TOGETHER runs, which begin `apart` rows from each other. Rows that are
 * over have no loop of their own, which would be compiled for them alone: they are multiplied beside those before them, once more, and where there are
 * fewer than ROWS_TOGETHER in all each takes all ways.
 */
#define ROWS_GEMV_OF_RUNS                                                                                              \
    static void gemv(const struct gemv_slice *slice)                                                                   \
    {                                                                                                                  \
        for (size_t row = 0, each; row < slice->panels; row += each ? ROWS_TOGETHER * each : 1) {                      \
            if (slice->panels >= ROWS_TOGETHER && slice->panels - row < ROWS_TOGETHER)                                 \
                row = slice->panels - ROWS_TOGETHER;                                                                   \
            each = rows_of_each_run(slice->panels - row);                                                              \
            rows_together(slice, row, each ? each : 1, each);                                                          \
        }                                                                                                              \
    }

#define ROWS_GEMV                                                                                                      \
    ROWS_INLINE void rows_together(const struct gemv_slice *slice, size_t first, size_t each, size_t apart)            \
    {                                                                                                                  \
        const size_t bytes = slice->panel_bytes;                                                                       \
        for (size_t i = first; i < first + each; i++) {                                                                \
            const uint8_t *weights[ROWS_TOGETHER];                                                                     \
            size_t row[ROWS_TOGETHER];                                                                                 \
            for (size_t way = 0; way < ROWS_TOGETHER; way++)                                                           \
                row[way] = i + way * apart;                                                                            \
            rows_addresses(weights, slice->weights + i * bytes, apart * bytes);                                        \
            rows(slice, weights, row, ROWS_TOGETHER);                                                                  \
        }                                                                                                              \
    }                                                                                                                  \
                                                                                                                       \
    ROWS_GEMV_OF_RUNS

#endif
