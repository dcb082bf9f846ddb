/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Registers of kernels on aarch64 that are one text for Neon and for 256-bit SVE: their types, and what is done with bytes to make
 * weights of them.
 */
#ifndef MICRO_ISA_REGISTERS_AARCH64_H
#define MICRO_ISA_REGISTERS_AARCH64_H

#include <arm_neon.h>
#include <string.h>
#ifdef __ARM_FEATURE_SVE
#include <arm_sve.h>
#endif

#include "micro/isa/rows_inline.h"

#ifdef __ARM_FEATURE_SVE
enum { TILE_ROWS = 8 /* that a register of words has */ };
typedef svuint8_t tile_bytes __attribute__((arm_sve_vector_bits(256)));
typedef svint32_t tile_ints __attribute__((arm_sve_vector_bits(256)));
typedef svfloat32_t tile_floats __attribute__((arm_sve_vector_bits(256)));
typedef svint8_t tile_signed __attribute__((arm_sve_vector_bits(256)));
#define TILE_ALL svptrue_b8()
#else
enum { TILE_ROWS = 4 /* that a register of words has */ };
typedef uint8x16_t tile_bytes;
typedef int32x4_t tile_ints;
typedef float32x4_t tile_floats;
typedef int8x16_t tile_signed;
#endif

enum { TILE_BYTES = sizeof(tile_bytes) };

#ifdef __ARM_FEATURE_SVE
ROWS_INLINE tile_bytes tile_load(const uint8_t *at)
{
    return svld1_u8(TILE_ALL, at);
}

ROWS_INLINE tile_ints tile_all_ints(int32_t value)
{
    return svdup_n_s32(value);
}

ROWS_INLINE tile_ints tile_zero(void)
{
    return svdup_n_s32(0);
}

/** In the first lane, the others zero. */
ROWS_INLINE tile_ints tile_first_int(int32_t value)
{
    return svdup_n_s32_z(svptrue_pat_b32(SV_VL1), value);
}

ROWS_INLINE tile_floats tile_zero_floats(void)
{
    return svdup_n_f32(0);
}

ROWS_INLINE tile_signed tile_load_signed(const int8_t *at)
{
    return svld1_s8(TILE_ALL, at);
}

ROWS_INLINE tile_bytes tile_and(tile_bytes a, uint8_t mask)
{
    return svand_n_u8_x(TILE_ALL, a, mask);
}

ROWS_INLINE tile_bytes tile_turn_over(tile_bytes a, uint8_t bits)
{
    return sveor_n_u8_x(TILE_ALL, a, bits);
}

/** 16 values by number; at: of 16 bytes. */
ROWS_INLINE tile_bytes tile_look_up(const int8_t *at, tile_bytes numbers)
{
    return svtbl_u8(svreinterpret_u8_s8(svld1rq_s8(TILE_ALL, at)), numbers);
}

ROWS_INLINE tile_ints tile_multiply_add(tile_ints sum, tile_ints a, tile_ints b)
{
    return svmla_s32_x(TILE_ALL, sum, a, b);
}

/** 16 bytes of `lower`, then 16 of `upper`. */
ROWS_INLINE tile_bytes tile_of_halves(uint8_t lower, uint8_t upper)
{
    return svsel_u8(svptrue_pat_b8(SV_VL16), svdup_n_u8(lower), svdup_n_u8(upper));
}

#define TILE_SHIFT_UP(a, bits)       svlsl_n_u8_x(TILE_ALL, a, bits)
#define TILE_SHIFT_DOWN(a, bits)     svlsr_n_u8_x(TILE_ALL, a, bits)
#define TILE_SHIFT_WORDS_UP(a, bits) svlsl_n_s32_x(TILE_ALL, a, bits)
/** sum + (a >> bits) */
#define TILE_ADD_SHIFTED(sum, a, bits) svadd_s32_x(TILE_ALL, sum, svasr_n_s32_x(TILE_ALL, a, bits))
#else
ROWS_INLINE tile_bytes tile_load(const uint8_t *at)
{
    return vld1q_u8(at);
}

ROWS_INLINE tile_ints tile_all_ints(int32_t value)
{
    return vdupq_n_s32(value);
}

ROWS_INLINE tile_ints tile_zero(void)
{
    return vdupq_n_s32(0);
}

/** In the first lane, the others zero. */
ROWS_INLINE tile_ints tile_first_int(int32_t value)
{
    return vsetq_lane_s32(value, vdupq_n_s32(0), 0);
}

ROWS_INLINE tile_floats tile_zero_floats(void)
{
    return vdupq_n_f32(0);
}

ROWS_INLINE tile_signed tile_load_signed(const int8_t *at)
{
    return vld1q_s8(at);
}

ROWS_INLINE tile_bytes tile_and(tile_bytes a, uint8_t mask)
{
    return vandq_u8(a, vdupq_n_u8(mask));
}

ROWS_INLINE tile_bytes tile_turn_over(tile_bytes a, uint8_t bits)
{
    return veorq_u8(a, vdupq_n_u8(bits));
}

/** 16 values by number; at: of 16 bytes. */
ROWS_INLINE tile_bytes tile_look_up(const int8_t *at, tile_bytes numbers)
{
    return vreinterpretq_u8_s8(vqtbl1q_s8(vld1q_s8(at), numbers));
}

ROWS_INLINE tile_ints tile_multiply_add(tile_ints sum, tile_ints a, tile_ints b)
{
    return vmlaq_s32(sum, a, b);
}

#define TILE_SHIFT_UP(a, bits)         vshlq_n_u8(a, bits)
#define TILE_SHIFT_DOWN(a, bits)       vshrq_n_u8(a, bits)
#define TILE_SHIFT_WORDS_UP(a, bits)   vshlq_n_s32(a, bits)
/** sum + (a >> bits) */
#define TILE_ADD_SHIFTED(sum, a, bits) vsraq_n_s32(sum, a, bits)
#endif

/* ---- products ---- */

/**
 * A register of bytes times as many activations, of one row: sums of four neighbours with a dot product; without it of columns i, i + 1,
 * i + 8 and i + 9, whose products by pairs stay in 16 bits: |weights| <= 128, |activations| <= 127. All sums together are the same.
 */
ROWS_INLINE tile_ints tile_dot(tile_ints sum, tile_signed weights, tile_signed activations)
{
#if defined __ARM_FEATURE_SVE
    return svdot_s32(sum, weights, activations);
#elif defined __ARM_FEATURE_DOTPROD
    return vdotq_s32(sum, weights, activations);
#else
    int16x8_t products = vmull_s8(vget_low_s8(weights), vget_low_s8(activations));
    return vpadalq_s16(sum, vmlal_high_s8(products, weights, activations));
#endif
}

/** Bytes whose upper bit is a sign, or is not set. */
ROWS_INLINE tile_signed tile_signed_of(tile_bytes bytes)
{
#ifdef __ARM_FEATURE_SVE
    return svreinterpret_s8_u8(bytes);
#else
    return vreinterpretq_s8_u8(bytes);
#endif
}

/** A register of words [row][2 x 4 bytes] times the same eight activations in every place. */
ROWS_INLINE tile_ints tile_dot_eights(tile_ints sum, tile_bytes weights, const int8_t *eight)
{
#if defined __ARM_FEATURE_SVE
    uint64_t all;
    memcpy(&all, eight, sizeof all);
    return svdot_s32(sum, svreinterpret_s8_u8(weights), svreinterpret_s8_u64(svdup_n_u64(all)));
#elif defined __ARM_FEATURE_DOTPROD
    int8x16_t all = vreinterpretq_s8_u64(vld1q_dup_u64((const uint64_t *)(const void *)eight));
    return vdotq_s32(sum, vreinterpretq_s8_u8(weights), all);
#else
    (void)weights, (void)eight; /* without sdot nothing is interleaved so */
    return sum;
#endif
}

#ifdef __ARM_FEATURE_SVE
/** 16 activations, in each half. */
ROWS_INLINE tile_signed tile_load_sixteen(const int8_t *at)
{
    return svld1rq_s8(TILE_ALL, at);
}

/** 16 columns of eight rows, w[4] registers [8 rows][4 columns], with sdot by element. */
ROWS_INLINE tile_ints tile_dot_fours(tile_ints sum, const tile_bytes *w, tile_signed a)
{
    sum = svdot_lane_s32(sum, svreinterpret_s8_u8(w[0]), a, 0);
    sum = svdot_lane_s32(sum, svreinterpret_s8_u8(w[1]), a, 1);
    sum = svdot_lane_s32(sum, svreinterpret_s8_u8(w[2]), a, 2);
    return svdot_lane_s32(sum, svreinterpret_s8_u8(w[3]), a, 3);
}
#else
/** 16 activations. */
ROWS_INLINE tile_signed tile_load_sixteen(const int8_t *at)
{
    return vld1q_s8(at);
}

/**
 * 16 columns of four rows, w[4] registers [4 rows][4 columns], with sdot by element; without it products are added by pairs, those of two
 * columns in 16 bits, |w| <= 128 and |a| <= 127, and neighbours at the end.
 */
ROWS_INLINE int32x4_t tile_dot_fours(int32x4_t sum, const tile_bytes *w, int8x16_t a)
{
#ifdef __ARM_FEATURE_DOTPROD
    sum = vdotq_laneq_s32(sum, vreinterpretq_s8_u8(w[0]), a, 0);
    sum = vdotq_laneq_s32(sum, vreinterpretq_s8_u8(w[1]), a, 1);
    sum = vdotq_laneq_s32(sum, vreinterpretq_s8_u8(w[2]), a, 2);
    return vdotq_laneq_s32(sum, vreinterpretq_s8_u8(w[3]), a, 3);
#else
    const int32x4_t words = vreinterpretq_s32_s8(a);
    const int32x4_t all[4] = {vdupq_laneq_s32(words, 0), vdupq_laneq_s32(words, 1), vdupq_laneq_s32(words, 2),
                              vdupq_laneq_s32(words, 3)};
    int32x4_t low = vdupq_n_s32(0), high = low;
#pragma GCC unroll 2
    for (int i = 0; i < 4; i += 2) {
        int8x16_t first = vreinterpretq_s8_u8(w[i]), second = vreinterpretq_s8_u8(w[i + 1]);
        int8x16_t a0 = vreinterpretq_s8_s32(all[i]), a1 = vreinterpretq_s8_s32(all[i + 1]);
        int16x8_t products = vmull_s8(vget_low_s8(first), vget_low_s8(a0));
        low = vpadalq_s16(low, vmlal_s8(products, vget_low_s8(second), vget_low_s8(a1)));
        high = vpadalq_s16(high, vmlal_high_s8(vmull_high_s8(first, a0), second, a1));
    }
    return vaddq_s32(sum, vpaddq_s32(low, high));
#endif
}
#endif

/** Sums of neighbouring lanes, those of a before those of b. */
ROWS_INLINE tile_ints tile_add_neighbours(tile_ints a, tile_ints b)
{
#ifdef __ARM_FEATURE_SVE
    return svadd_s32_x(TILE_ALL, svuzp1_s32(a, b), svuzp2_s32(a, b));
#else
    return vpaddq_s32(a, b);
#endif
}

ROWS_INLINE int32_t tile_lanes_sum(tile_ints a)
{
#ifdef __ARM_FEATURE_SVE
    return (int32_t)svaddv_s32(TILE_ALL, a);
#else
    return vaddvq_s32(a);
#endif
}

/* ---- scales ---- */

#ifdef __ARM_FEATURE_SVE
/** TILE_ROWS words that lie side by side. */
ROWS_INLINE tile_bytes tile_load_words(const uint8_t *at)
{
    return svreinterpret_u8_u32(svld1_u32(TILE_ALL, (const uint32_t *)(const void *)at));
}

/** TILE_ROWS halves that lie side by side, each in the lower half of a word. */
ROWS_INLINE tile_bytes tile_load_halves(const uint8_t *at)
{
    return svreinterpret_u8_u32(svld1uh_u32(TILE_ALL, (const uint16_t *)(const void *)at));
}

/** Of binary16 in the lower halves of words. */
ROWS_INLINE tile_floats tile_floats_of_halves(tile_bytes words)
{
    return svcvt_f32_f16_x(TILE_ALL, svreinterpret_f16_u8(words));
}

/** Of bfloat16 in the lower halves of words, whose upper halves they are as floats. */
ROWS_INLINE tile_floats tile_floats_of_bfloats(tile_bytes words)
{
    return svreinterpret_f32_u32(svlsl_n_u32_x(TILE_ALL, svreinterpret_u32_u8(words), 16));
}

ROWS_INLINE tile_floats tile_floats_of(tile_bytes words)
{
    return svreinterpret_f32_u8(words);
}
#endif

/** TILE_ROWS numbers of binary16, one after the other. */
ROWS_INLINE tile_floats tile_halves(const uint8_t *at)
{
#ifdef __ARM_FEATURE_SVE
    return tile_floats_of_halves(tile_load_halves(at));
#else
    return vcvt_f32_f16(vreinterpret_f16_u8(vld1_u8(at)));
#endif
}

/** TILE_ROWS bfloat16 numbers that lie side by side, as floats: they are the upper halves of these. */
ROWS_INLINE tile_floats tile_bfloats(const uint8_t *at)
{
#ifdef __ARM_FEATURE_SVE
    return tile_floats_of_bfloats(tile_load_halves(at));
#else
    return vreinterpretq_f32_u32(vshll_n_u16(vreinterpret_u16_u8(vld1_u8(at)), 16));
#endif
}

ROWS_INLINE tile_floats tile_scale(tile_floats a, tile_floats b)
{
#ifdef __ARM_FEATURE_SVE
    return svmul_f32_x(TILE_ALL, a, b);
#else
    return vmulq_f32(a, b);
#endif
}

ROWS_INLINE tile_floats tile_times(tile_floats a, float b)
{
#ifdef __ARM_FEATURE_SVE
    return svmul_n_f32_x(TILE_ALL, a, b);
#else
    return vmulq_n_f32(a, b);
#endif
}

/**
 * sum + whole * scale, where whole numbers are 2^bits too large: the conversion of Neon undoes it; that of SVE cannot, so there the
 * scale has been divided, by tile_unscaled().
 */
#ifdef __ARM_FEATURE_SVE
#define TILE_ADD(sum, whole, bits, scale) svmla_f32_x(TILE_ALL, sum, svcvt_f32_s32_x(TILE_ALL, whole), scale)
#else
#define TILE_ADD(sum, whole, bits, scale)                                                                              \
    vfmaq_f32(sum, (bits) ? vcvtq_n_f32_s32(whole, (bits) ? (bits) : 1) : vcvtq_f32_s32(whole), scale)
#endif

ROWS_INLINE float tile_unscaled(float scale, int bits)
{
#ifdef __ARM_FEATURE_SVE
    return scale * (1.0f / (float)(1 << bits));
#else
    (void)bits;
    return scale;
#endif
}

/** sum + a b, rounded once. */
ROWS_INLINE tile_floats tile_fused(tile_floats sum, tile_floats a, tile_floats b)
{
#ifdef __ARM_FEATURE_SVE
    return svmla_f32_x(TILE_ALL, sum, a, b);
#else
    return vfmaq_f32(sum, a, b);
#endif
}

ROWS_INLINE tile_floats tile_add_floats(tile_floats a, tile_floats b)
{
#ifdef __ARM_FEATURE_SVE
    return svadd_f32_x(TILE_ALL, a, b);
#else
    return vaddq_f32(a, b);
#endif
}

ROWS_INLINE float tile_floats_sum(tile_floats a)
{
#ifdef __ARM_FEATURE_SVE
    return svaddv_f32(TILE_ALL, a);
#else
    return vaddvq_f32(a);
#endif
}

ROWS_INLINE tile_floats tile_load_floats(const float *at)
{
#ifdef __ARM_FEATURE_SVE
    return svld1_f32(TILE_ALL, at);
#else
    return vld1q_f32(at);
#endif
}

ROWS_INLINE void tile_put_ints(int32_t *out, tile_ints sums)
{
#ifdef __ARM_FEATURE_SVE
    svst1_s32(TILE_ALL, out, sums);
#else
    vst1q_s32(out, sums);
#endif
}

ROWS_INLINE void tile_put_floats(float *out, tile_floats sums)
{
#ifdef __ARM_FEATURE_SVE
    svst1_f32(TILE_ALL, out, sums);
#else
    vst1q_f32(out, sums);
#endif
}

#endif
