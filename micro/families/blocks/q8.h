/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Activations quantized to int8 by blocks of K, each with a scale of its own: the operands of the block formats.
 *
 *     scale = max|x| of the block / 127,  q = round_to_nearest_even(x / scale) in [-127, 127],  x ~ q * scale
 *
 * A block whose largest |x| is below Q8_LEAST becomes zeros. q8_avx2.h makes them; the layouts are ours, with scales in
 * 32 bits and whole cache lines, so that a kernel's loads never cross one.
 */
#ifndef MICRO_FAMILIES_BLOCKS_Q8_H
#define MICRO_FAMILIES_BLOCKS_Q8_H

#include <stddef.h>
#include <stdint.h>

#define Q8_LEAST 0x1p-119f /* below it the scale would not be a normal number, nor 127 / max|x| a finite one */

/** Largest |x - q * scale| over the block's max|x|, rounding of the scale and the quotient included: a kernel's
 * error_bound where nothing else is lossy. */
#define Q8_ERROR_BOUND (0.5 / 127 * 1.0001)

/** Blocks of 32, as formats with a scale every 32 weights need them. */
struct q8_32 {
    int8_t q[32];
    float scale;
    int32_t sum; /* of q */
    int32_t unused[6];
} __attribute__((aligned(64)));

/** Blocks of 64 and of 128. */
struct q8_64 {
    int8_t q[64];
    float scale;
    int32_t sum; /* of q */
    int32_t unused[14];
} __attribute__((aligned(64)));

struct q8_128 {
    int8_t q[128];
    float scale;
    int32_t sum; /* of q */
    int32_t unused[14];
} __attribute__((aligned(64)));

/** Blocks of 256 with the sums of each 16, as the 256-weight superblocks need them. */
struct q8_256 {
    int8_t q[256];
    int16_t sums[16]; /* of q[16 i] … q[16 i + 15] */
    float scale;
    int32_t sum; /* of q */
    int32_t unused[6];
} __attribute__((aligned(64)));

/** What column `column` was rounded to. */
static inline double q8_32_value(const struct q8_32 *blocks, size_t column)
{
    const struct q8_32 *block = &blocks[column / 32];
    return (double)block->scale * block->q[column % 32];
}

static inline double q8_64_value(const struct q8_64 *blocks, size_t column)
{
    const struct q8_64 *block = &blocks[column / 64];
    return (double)block->scale * block->q[column % 64];
}

static inline double q8_128_value(const struct q8_128 *blocks, size_t column)
{
    const struct q8_128 *block = &blocks[column / 128];
    return (double)block->scale * block->q[column % 128];
}

static inline double q8_256_value(const struct q8_256 *blocks, size_t column)
{
    const struct q8_256 *block = &blocks[column / 256];
    return (double)block->scale * block->q[column % 256];
}

#endif
