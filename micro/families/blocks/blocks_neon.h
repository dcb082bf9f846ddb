/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What kernels of block formats share on aarch64: 16 products of bytes added to four sums, a half-precision scale, the sum of
 * lanes, and the blocks of q8.h. One text for neon and neon_dotprod, which differ in how products are added, and for sve256.
 */
#ifndef MICRO_FAMILIES_BLOCKS_BLOCKS_NEON_H
#define MICRO_FAMILIES_BLOCKS_BLOCKS_NEON_H

#include <arm_neon.h>
#include <math.h>
#include <string.h>

#include "micro/families/blocks/q8.h"
#include "micro/frames/rows.h"
#include "micro/isa/registers_aarch64.h"

#ifdef BLOCK_VECTORS
/* sums of a panel, a lane a row: BLOCK_VECTORS registers, by registers_aarch64.h */
typedef struct {
    tile_floats of[BLOCK_VECTORS];
} block_floats;

ROWS_INLINE block_floats block_zero(void)
{
    block_floats sums;
    for (int i = 0; i < BLOCK_VECTORS; i++)
        sums.of[i] = tile_zero_floats();
    return sums;
}
#elif defined BLOCK_SUM_IS_FLOAT
/* the sum of a row, to which a block adds that of its lanes */
typedef float block_floats;

ROWS_INLINE block_floats block_zero(void)
{
    return 0;
}

ROWS_INLINE float block_lanes_sum(block_floats sum)
{
    return sum;
}
#elif defined __ARM_FEATURE_SVE
/* sums of a row */
typedef tile_floats block_floats;

ROWS_INLINE block_floats block_zero(void)
{
    return tile_zero_floats();
}

ROWS_INLINE float block_lanes_sum(block_floats lanes)
{
    return svaddv_f32(TILE_ALL, lanes);
}

/** The binary16 number at `at`, in every lane. */
ROWS_INLINE tile_floats block_scales(const uint8_t *at)
{
    uint16_t half;
    memcpy(&half, at, sizeof half);
    return svcvt_f32_f16_x(TILE_ALL, svreinterpret_f16_u32(svdup_n_u32(half)));
}
#else
/* sums of a row */
typedef float32x4_t block_floats;

ROWS_INLINE block_floats block_zero(void)
{
    return vdupq_n_f32(0);
}

ROWS_INLINE float block_lanes_sum(block_floats lanes)
{
    return vaddvq_f32(lanes);
}
#endif

/** The binary16 number at `at`. */
ROWS_INLINE float block_scale(const uint8_t *at)
{
    __fp16 half;
    memcpy(&half, at, sizeof half);
    return (float)half;
}

#if !defined BLOCK_VECTORS && !defined BLOCK_SUM_IS_FLOAT
/** Integer sums of a block of a row whose scale, binary16, is at `scale`, added. */
ROWS_INLINE block_floats block_add_whole(block_floats sum, tile_ints whole, const uint8_t *scale,
                                         float activations_scale)
{
#ifdef __ARM_FEATURE_SVE
    return TILE_ADD(sum, whole, 0, tile_times(block_scales(scale), activations_scale));
#else
    return vfmaq_n_f32(sum, vcvtq_f32_s32(whole), block_scale(scale) * activations_scale);
#endif
}
#endif

/** Integer sums of a block, `bits` of them a power of two too large, scaled and added. */
#define BLOCK_ADD(sum, whole, bits, scale) vfmaq_n_f32(sum, vcvtq_n_f32_s32(whole, bits), scale)

/* ---- activations ---- */

ROWS_INLINE float q8_magnitude(const float *x, size_t n)
{
    float32x4_t most = vdupq_n_f32(0);
    for (size_t i = 0; i < n; i += 4)
        most = vmaxq_f32(most, vabsq_f32(vld1q_f32(x + i)));
    return vmaxvq_f32(most);
}

/** 16 values to the nearest integers, ties to even, in order. */
ROWS_INLINE int8x16_t q8_round(const float *x, float factor)
{
    int32x4_t word[4];
    for (size_t j = 0; j < 4; j++)
        word[j] = vcvtnq_s32_f32(vmulq_n_f32(vld1q_f32(x + 4 * j), factor));
    int16x8_t low = vcombine_s16(vmovn_s32(word[0]), vmovn_s32(word[1]));
    int16x8_t high = vcombine_s16(vmovn_s32(word[2]), vmovn_s32(word[3]));
    return vcombine_s8(vmovn_s16(low), vmovn_s16(high));
}

/** One block of n values, n a multiple of 16. */
ROWS_INLINE void q8_block(const float *x, size_t n, int8_t *q, int16_t *sums, float *scale, int32_t *sum)
{
    float most = q8_magnitude(x, n), factor = most < Q8_LEAST ? 0 : 127 / most;
    *scale = most < Q8_LEAST ? 0 : most / 127;
    *sum = 0;
    for (size_t i = 0; i < n; i += 16) {
        int8x16_t rounded = q8_round(x + i, factor);
        int16_t of16 = vaddlvq_s8(rounded);
        vst1q_s8(q + i, rounded);
        if (sums)
            sums[i / 16] = of16;
        *sum += of16;
    }
}

/** k a multiple of 32. */
static inline void q8_32_make(const float *x, size_t k, struct q8_32 *blocks)
{
    for (size_t i = 0; i < k; i += 32, blocks++) {
        memset(blocks->unused, 0, sizeof blocks->unused);
        q8_block(x + i, 32, blocks->q, NULL, &blocks->scale, &blocks->sum);
    }
}

/** k a multiple of 256. */
__attribute__((unused)) static inline void q8_256_make(const float *x, size_t k, struct q8_256 *blocks)
{
    for (size_t i = 0; i < k; i += 256, blocks++) {
        memset(blocks->unused, 0, sizeof blocks->unused);
        q8_block(x + i, 256, blocks->q, blocks->sums, &blocks->scale, &blocks->sum);
    }
}

#endif
