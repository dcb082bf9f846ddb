/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Activations as llama.cpp's row kernels have them, for their renderings: what q8.h has without its padding, so that most loads of 32
 * bytes cross a cache line. There, blocks of 32 have their scale in 16 bits.
 */
#ifndef MICRO_FAMILIES_BLOCKS_Q8_PACKED_H
#define MICRO_FAMILIES_BLOCKS_Q8_PACKED_H

#include <string.h>

#ifdef __aarch64__
#include "micro/families/blocks/blocks_neon.h"
#else
#include "micro/families/blocks/q8_avx2.h"
#endif

struct q8_32_packed {
    float scale;
    int8_t q[32];
};

struct q8_256_packed {
    float scale;
    int8_t q[256];
    int16_t sums[16];
};

static inline double q8_32_packed_value(const struct q8_32_packed *blocks, size_t column)
{
    const struct q8_32_packed *block = &blocks[column / 32];
    return (double)block->scale * block->q[column % 32];
}

static inline double q8_256_packed_value(const struct q8_256_packed *blocks, size_t column)
{
    const struct q8_256_packed *block = &blocks[column / 256];
    return (double)block->scale * block->q[column % 256];
}

/** k a multiple of 32. */
static inline void q8_32_packed_make(const float *x, size_t k, struct q8_32_packed *blocks)
{
    for (size_t i = 0; i < k; i += 32, blocks++) {
        struct q8_32 block;
        q8_32_make(x + i, 32, &block);
        blocks->scale = block.scale;
        memcpy(blocks->q, block.q, sizeof blocks->q);
    }
}

/** k a multiple of 256. */
static inline void q8_256_packed_make(const float *x, size_t k, struct q8_256_packed *blocks)
{
    for (size_t i = 0; i < k; i += 256, blocks++) {
        struct q8_256 block;
        q8_256_make(x + i, 256, &block);
        blocks->scale = block.scale;
        memcpy(blocks->q, block.q, sizeof blocks->q);
        memcpy(blocks->sums, block.sums, sizeof blocks->sums);
    }
}

#endif
