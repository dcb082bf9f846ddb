/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bit-serial kernels with VPOPCNTDQ. A register is a bit of 8 rows and 64 columns: exclusive or with a word of activations that is
 * broadcast, count, add, three operations for 512 products of bits. What counts for 2^l is added up for all of a cut before what counts
 * for 2^(l - 1), and the sums are doubled in between: each output has one register, whatever the bits [apt-llm, III-B, data recovery:
 * a shift and an add for each pair of planes].
 */
#ifndef MICRO_KERNELS_BIT_SERIAL_AVX512_H
#define MICRO_KERNELS_BIT_SERIAL_AVX512_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#include "micro/kernels/bit_serial_quantize_avx512.h"

#include "micro/kernels/bit_serial_gemm.h"
#include "micro/kernels/bit_serial_rows_avx512.h"

BITS_INLINE __m512i bits_weights(const struct bits_cut *cut, int panel, size_t step, int bit)
{
    return _mm512_loadu_si512(cut->weights + (size_t)panel * cut->panel_bytes + step * STEP_BYTES +
                              (size_t)bit * BITS_PLANE_BYTES);
}

/** Steps whose columns do not all count; they are few. */
BITS_INLINE void bits_add_masked(const struct bits_cut *cut, __m512i *sum, int panels, int tokens)
{
    for (size_t step = cut->whole; step < cut->steps; step++) {
        for (int i = 0; i < WEIGHT_BITS; i++) {
            for (int j = 0; j < ACTIVATION_BITS; j++) {
#pragma GCC unroll 8
                for (int t = 0; t < tokens; t++) {
                    size_t at = step * BITS_GROUP + (size_t)t;
                    __m512i x = bits_broadcast(cut->planes + at * ACTIVATION_BITS + j);
#pragma GCC unroll 4
                    for (int r = 0; r < panels; r++) {
                        __m512i differing = _mm512_xor_si512(bits_weights(cut, r, step, i), x);
                        differing = _mm512_and_si512(differing, bits_broadcast(cut->masks + at));
                        __m512i count = _mm512_slli_epi64(_mm512_popcnt_epi64(differing), (unsigned)(i + j));
                        sum[r * tokens + t] = _mm512_add_epi64(sum[r * tokens + t], count);
                    }
                }
            }
        }
    }
}

/** Whole steps of one pair of planes. */
BITS_INLINE void bits_add_pair(const struct bits_cut *cut, __m512i *sum, int i, int j, int panels, int tokens)
{
    const uint64_t *planes = cut->planes + j;
    for (size_t step = 0; step < cut->whole; step++, planes += BITS_GROUP * ACTIVATION_BITS) {
        __m512i w[BITS_PANELS_MOST];
#pragma GCC unroll 4
        for (int r = 0; r < panels; r++)
            w[r] = bits_weights(cut, r, step, i);
#pragma GCC unroll 8
        for (int t = 0; t < tokens; t++) {
            __m512i x = bits_broadcast(planes + t * ACTIVATION_BITS);
#pragma GCC unroll 4
            for (int r = 0; r < panels; r++)
                sum[r * tokens + t] =
                    _mm512_add_epi64(sum[r * tokens + t], _mm512_popcnt_epi64(_mm512_xor_si512(w[r], x)));
        }
    }
}

BITS_INLINE void bits_tile_of(const struct bits_cut *cut, int panels, int tokens)
{
    __m512i sum[BITS_PANELS_MOST * BITS_GROUP];
#pragma GCC unroll 32
    for (int n = 0; n < panels * tokens; n++)
        sum[n] = _mm512_setzero_si512();
    for (int level = BITS_LEVELS - 1; level >= 0; level--) {
#pragma GCC unroll 32
        for (int n = 0; n < panels * tokens; n++)
            sum[n] = _mm512_add_epi64(sum[n], sum[n]);
        for (int i = 0; i < WEIGHT_BITS; i++) {
            if (i <= level && level - i < ACTIVATION_BITS)
                bits_add_pair(cut, sum, i, level - i, panels, tokens);
        }
    }
    bits_add_masked(cut, sum, panels, tokens);
#pragma GCC unroll 32
    for (int n = 0; n < panels * tokens; n++)
        _mm256_storeu_si256((__m256i *)(void *)(cut->sums + (size_t)n * BITS_ROWS), _mm512_cvtepi64_epi32(sum[n]));
}

/* ---- GEMV ---- */

/** A step of one panel, a register of sums for each level: weights are read once. Only the last step needs its mask. */
BITS_INLINE void bits_add_step(__m512i *sum, const uint8_t *weights, const uint64_t *planes, bool masked, __m512i mask)
{
#pragma GCC unroll 8
    for (int i = 0; i < WEIGHT_BITS; i++) {
        __m512i w = _mm512_loadu_si512(weights + (size_t)i * BITS_PLANE_BYTES);
#pragma GCC unroll 8
        for (int j = 0; j < ACTIVATION_BITS; j++) {
            __m512i differing = _mm512_xor_si512(w, bits_broadcast(planes + j));
            if (masked)
                differing = _mm512_and_si512(differing, mask);
            sum[i + j] = _mm512_add_epi64(sum[i + j], _mm512_popcnt_epi64(differing));
        }
    }
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
        __m512i sum[BITS_LEVELS];
#pragma GCC unroll 16
        for (int level = 0; level < BITS_LEVELS; level++)
            sum[level] = _mm512_setzero_si512();
        size_t step = 0;
        for (; step < whole; step++, weights += STEP_BYTES, planes += ACTIVATION_BITS) {
#pragma GCC unroll 8
            for (size_t line = 0; line < STEP_BYTES; line += 64)
                __builtin_prefetch((const void *)((uintptr_t)weights + slice->prefetch_bytes + line), 0, 3);
            bits_add_step(sum, weights, planes, false, sum[0]);
        }
        for (; step < steps; step++, weights += STEP_BYTES, planes += ACTIVATION_BITS)
            bits_add_step(sum, weights, planes, true, bits_broadcast(masks + step));
        bits_store_rows(token, sum, slice->out_f32 + panel * BITS_ROWS);
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

#endif
