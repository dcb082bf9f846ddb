/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bit-serial kernels with VPOPCNTDQ that are made for their pair of bits: the register block of bit_serial_tile_avx512.h, and a GEMV
 * that has a register for each level.
 */
#ifndef MICRO_FAMILIES_BIT_SERIAL_BIT_SERIAL_AVX512_H
#define MICRO_FAMILIES_BIT_SERIAL_BIT_SERIAL_AVX512_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#include "micro/families/bit_serial/bit_serial_quantize_avx512.h"

#include "micro/families/bit_serial/bit_serial_gemm.h"
#include "micro/families/bit_serial/bit_serial_rows_avx512.h"
#include "micro/families/bit_serial/bit_serial_tile_avx512.h"

/** The register block made for this pair of bits. */
BITS_INLINE void bits_tile_of(const struct bits_cut *cut, int panels, int tokens)
{
    bits_tile_any(cut, (struct bits_widths){WEIGHT_BITS, ACTIVATION_BITS}, BITS_GROUP, panels, tokens);
}

#if BITS_ANDS
static void bits_weigh(const uint8_t *weights, size_t steps, int32_t units[])
{
    __m512i plane[WEIGHT_BITS] = {_mm512_setzero_si512()};
    for (size_t step = 0; step < steps; step++, weights += STEP_BYTES) {
#pragma GCC unroll 8
        for (int i = 0; i < WEIGHT_BITS; i++) {
            __m512i w = _mm512_loadu_si512(weights + (size_t)i * BITS_PLANE_BYTES);
            plane[i] = _mm512_add_epi64(plane[i], _mm512_popcnt_epi64(w));
        }
    }
    _mm256_storeu_si256((__m256i *)(void *)units, _mm512_cvtepi64_epi32(bits_weight_units(plane)));
}
#endif

/* ---- GEMV ---- */

/** Sums of a panel: one for each level, and with BITS_ANDS one of the set bits of each plane of weights. */
struct bits_sums {
    __m512i level[BITS_LEVELS], plane[WEIGHT_BITS];
};

/** Sums of nothing. */
BITS_INLINE void bits_begin(struct bits_sums *sum)
{
#pragma GCC unroll 16
    for (int level = 0; level < BITS_LEVELS; level++)
        sum->level[level] = _mm512_setzero_si512();
#pragma GCC unroll 8
    for (int i = 0; i < WEIGHT_BITS; i++)
        sum->plane[i] = _mm512_setzero_si512();
}

/** A step of one panel: weights are read once. Only the last step needs its mask. */
BITS_INLINE void bits_add_step(struct bits_sums *sum, const __m512i *weights, const uint64_t *planes, bool masked,
                               __m512i mask)
{
#pragma GCC unroll 8
    for (int i = 0; i < WEIGHT_BITS; i++) {
        __m512i w = weights[i];
#pragma GCC unroll 8
        for (int j = 0; j < ACTIVATION_BITS; j++) {
            __m512i met = bits_meet(w, bits_broadcast(planes + j));
            if (masked)
                met = _mm512_and_si512(met, mask);
            sum->level[i + j] = _mm512_add_epi64(sum->level[i + j], _mm512_popcnt_epi64(met));
        }
        if (BITS_ANDS) {
            __m512i counted = masked ? _mm512_and_si512(w, mask) : w;
            sum->plane[i] = _mm512_add_epi64(sum->plane[i], _mm512_popcnt_epi64(counted));
        }
    }
}

/** The planes of a step of one panel. */
BITS_INLINE void bits_load_step(__m512i *weights, const uint8_t *at)
{
#pragma GCC unroll 8
    for (int i = 0; i < WEIGHT_BITS; i++)
        weights[i] = _mm512_loadu_si512(at + (size_t)i * BITS_PLANE_BYTES);
}

/** The sums of a panel, of differing bits by what they count for (with BITS_ANDS without U_x). */
BITS_INLINE __m512i bits_end(const struct bits_sums *sum)
{
    __m512i all = bits_sum_powers(sum->level, BITS_LEVELS);
    return BITS_ANDS ? _mm512_sub_epi64(bits_weight_units(sum->plane), _mm512_add_epi64(all, all)) : all;
}

/**
 * Panel after panel, one stream with one prefetch a line, which reads 0.92 of the roof on Zen 5 where four panels side by side, or far
 * apart as in rows.h, reach 0.7 and 0.8: a panel of 4096 columns and 1 bit is a page, and its end comes every 100 cycles.
 */
__attribute__((unused)) static void gemv(const struct gemv_slice *slice)
{
    const struct bits_token token = *bits_tokens(slice->prepared);
    const uint64_t *masks = bits_masks(slice->prepared, slice->k, 1, ACTIVATION_BITS);
    const size_t steps = slice->k / STEP_COLUMNS, whole = token.columns / STEP_COLUMNS;
    for (size_t panel = 0; panel < slice->panels; panel++) {
        const uint8_t *weights = slice->weights + panel * slice->panel_bytes;
        const uint64_t *planes = bits_planes(slice->prepared);
        struct bits_sums sum;
        __m512i step_weights[WEIGHT_BITS];
        bits_begin(&sum);
        size_t step = 0;
        for (; step < whole; step++, weights += STEP_BYTES, planes += ACTIVATION_BITS) {
#pragma GCC unroll 8
            for (size_t line = 0; line < STEP_BYTES; line += 64)
                __builtin_prefetch((const void *)((uintptr_t)weights + slice->prefetch_bytes + line), 0, 3);
            bits_load_step(step_weights, weights);
            bits_add_step(&sum, step_weights, planes, false, sum.level[0]);
        }
        for (; step < steps; step++, weights += STEP_BYTES, planes += ACTIVATION_BITS) {
            bits_load_step(step_weights, weights);
            bits_add_step(&sum, step_weights, planes, true, bits_broadcast(masks + step));
        }
        bits_store_rows(token, bits_end(&sum), slice->out_f32 + panel * BITS_ROWS);
    }
}

#define BITS_TILE(PANELS, TOKENS)                                                                                      \
    __attribute__((unused)) static void bits_tile_##PANELS##_##TOKENS(const struct bits_cut *cut)                      \
    {                                                                                                                  \
        bits_tile_of(cut, PANELS, TOKENS);                                                                             \
    }
#define BITS_TILES_OF(PANELS) BITS_TILE(PANELS, 1) BITS_TILE(PANELS, 2) BITS_TILE(PANELS, 4) BITS_TILE(PANELS, 8)

BITS_TILES_OF(1)
BITS_TILES_OF(2)

/* ---- its gamma: a step whose planes of weights are in registers ---- */

#define STEPS_TOGETHER 1
#include "micro/families/bit_serial/bit_serial_gamma.h"

#define STEP_SUM struct bits_step_sums

#define STEP_WEIGHTS(register_of) STEP_VECTORS(WEIGHT_BITS, register_of, __m512i)
#include "micro/frames/step.h"

#define STEP_LOAD(number, type, name) _mm512_loadu_si512(at + number * BITS_PLANE_BYTES),

/** Sums of steps, and the token that they met, whose columns and units count as often as there were steps. */
struct bits_step_sums {
    struct bits_sums of;
    const struct bits_token *token;
    uint32_t steps;
};

BITS_INLINE struct bits_step_sums step_zero(void)
{
    struct bits_step_sums sums = {.token = NULL, .steps = 0};
    bits_begin(&sums.of);
    return sums;
}

BITS_INLINE struct step_weights step_load(const uint8_t *at)
{
    return (struct step_weights){STEP_WEIGHTS(STEP_LOAD)};
}

BITS_INLINE struct bits_step_sums step_add(struct bits_step_sums sums, struct step_weights weights,
                                           const struct bits_step_operand *operand)
{
    const __m512i plane[] = {STEP_WEIGHTS(STEP_NAME)};
    BITS_STEP_AFTER(operand, sums.of.level, BITS_LEVELS);
    bits_add_step(&sums.of, plane, bits_planes(operand), false, plane[0]);
    sums.token = bits_tokens(operand);
    sums.steps++;
    return sums;
}

BITS_INLINE void step_finish(int32_t *rows, struct bits_step_sums sums)
{
    int32_t differing[BITS_ROWS];
    struct bits_token token = {.columns = sums.steps * STEP_COLUMNS};
#if BITS_ANDS
    token.units = sums.steps * sums.token->units;
#endif
    _mm256_storeu_si256((__m256i *)(void *)differing, _mm512_cvtepi64_epi32(bits_end(&sums.of)));
    bits_finish_step(rows, differing, token);
}

#endif
