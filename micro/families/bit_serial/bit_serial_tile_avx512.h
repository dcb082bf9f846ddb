/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bit-serial register blocks with VPOPCNTDQ. A register is a bit of 8 rows and 64 columns: exclusive or with a word of activations that
 * is broadcast, count, add, three operations for 512 products of bits. What counts for 2^l is added up for all of a cut before what
 * counts for 2^(l - 1), and the sums are doubled in between: each output has one register, whatever the bits [apt-llm, III-B, data
 * recovery: a shift and an add for each pair of planes]. With BITS_ANDS the first operation is an and, and what differs follows from
 * it and from the weights' own sums.
 */
#ifndef MICRO_FAMILIES_BIT_SERIAL_BIT_SERIAL_TILE_AVX512_H
#define MICRO_FAMILIES_BIT_SERIAL_BIT_SERIAL_TILE_AVX512_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#include "micro/families/bit_serial/bit_serial_cut.h"
#include "micro/families/bit_serial/bit_serial_layout.h"
#include "micro/families/bit_serial/bit_serial_operand.h"
#include "micro/families/bit_serial/bit_serial_word_avx512.h"

/** Bits of weights and of activations: constants of kernels made for them, or any. */
struct bits_widths {
    int weights, activations;
};

BITS_INLINE __m512i bits_weights(const struct bits_cut *cut, struct bits_widths of, int panel, size_t step, int bit)
{
    return _mm512_loadu_si512(cut->weights + (size_t)panel * cut->panel_bytes +
                              (step * (size_t)of.weights + (size_t)bit) * BITS_PLANE_BYTES);
}

/**
 * What a step with a mask adds to a pair's sum: differing bits; with BITS_ANDS common bits twice, and those of the weights that do
 * not count, which their sum has too many.
 */
BITS_INLINE __m512i bits_count_masked(__m512i w, __m512i x, __m512i mask)
{
    __m512i met = _mm512_popcnt_epi64(_mm512_and_si512(bits_meet(w, x), mask));
    if (BITS_ANDS)
        met = _mm512_add_epi64(_mm512_add_epi64(met, met), _mm512_popcnt_epi64(_mm512_andnot_si512(mask, w)));
    return met;
}

/** Steps whose columns do not all count; they are few. */
BITS_INLINE void bits_add_masked(const struct bits_cut *cut, struct bits_widths of, size_t group, __m512i *sum,
                                 int panels, int tokens)
{
    for (size_t step = cut->whole; step < cut->steps; step++) {
        for (int i = 0; i < of.weights; i++) {
            for (int j = 0; j < of.activations; j++) {
#pragma GCC unroll 8
                for (int t = 0; t < tokens; t++) {
                    size_t at = step * group + (size_t)t;
                    __m512i x = bits_broadcast(cut->planes + at * (size_t)of.activations + (size_t)j);
#pragma GCC unroll 4
                    for (int r = 0; r < panels; r++) {
                        __m512i count =
                            bits_count_masked(bits_weights(cut, of, r, step, i), x, bits_broadcast(cut->masks + at));
                        count = _mm512_slli_epi64(count, (unsigned)(i + j));
                        sum[r * tokens + t] = _mm512_add_epi64(sum[r * tokens + t], count);
                    }
                }
            }
        }
    }
}

/** Whole steps of one pair of planes. */
BITS_INLINE void bits_add_pair(const struct bits_cut *cut, struct bits_widths of, size_t group, __m512i *sum, int i,
                               int j, int panels, int tokens)
{
    const uint64_t *planes = cut->planes + j;
    for (size_t step = 0; step < cut->whole; step++, planes += group * (size_t)of.activations) {
        __m512i w[BITS_PANELS_MOST];
#pragma GCC unroll 4
        for (int r = 0; r < panels; r++)
            w[r] = bits_weights(cut, of, r, step, i);
#pragma GCC unroll 8
        for (int t = 0; t < tokens; t++) {
            __m512i x = bits_broadcast(planes + t * of.activations);
#pragma GCC unroll 4
            for (int r = 0; r < panels; r++)
                sum[r * tokens + t] = _mm512_add_epi64(sum[r * tokens + t], _mm512_popcnt_epi64(bits_meet(w[r], x)));
        }
    }
}

/** A part of what is fetched ahead, a share for each pair of planes: into the second-level cache, in integers, for it need not be memory. */
BITS_INLINE void bits_fetch_ahead(const struct bits_cut *cut, struct bits_widths of, int pair, int panels)
{
    size_t lines = (cut->steps + (size_t)of.activations - 1) / (size_t)of.activations;
    for (int r = 0; r < panels; r++) {
        uintptr_t at = (uintptr_t)cut->ahead + (size_t)r * cut->panel_bytes + (size_t)pair * lines * 64;
        for (size_t line = 0; line < lines; line++)
            __builtin_prefetch((const void *)(at + 64 * line), 0, 2);
    }
}

/** A register block's sums; with BITS_ANDS the weights' sums less what was added up. */
BITS_INLINE void bits_store_tile(const struct bits_cut *cut, const __m512i *sum, int panels, int tokens)
{
#pragma GCC unroll 32
    for (int n = 0; n < panels * tokens; n++) {
        __m256i row = _mm512_cvtepi64_epi32(sum[n]);
        if (BITS_ANDS) {
            const void *units = cut->units + (size_t)(n / tokens) * BITS_ROWS;
            row = _mm256_sub_epi32(_mm256_loadu_si256(units), row);
        }
        _mm256_storeu_si256((__m256i *)(void *)(cut->sums + (size_t)n * BITS_ROWS), row);
    }
}

/** Sums of differing bits, by what they count for, of `panels` panels and the first `tokens` of a group. */
BITS_INLINE void bits_tile_any(const struct bits_cut *cut, struct bits_widths of, size_t group, int panels, int tokens)
{
    __m512i sum[BITS_PANELS_MOST * BITS_GROUP_MOST];
#pragma GCC unroll 32
    for (int n = 0; n < panels * tokens; n++)
        sum[n] = _mm512_setzero_si512();
    int pair = 0;
    for (int level = of.weights + of.activations - 2; level >= 0; level--) {
#pragma GCC unroll 32
        for (int n = 0; n < panels * tokens; n++)
            sum[n] = _mm512_add_epi64(sum[n], sum[n]);
        for (int i = 0; i < of.weights; i++) {
            if (i > level || level - i >= of.activations)
                continue;
            if (cut->ahead)
                bits_fetch_ahead(cut, of, pair++, panels);
            bits_add_pair(cut, of, group, sum, i, level - i, panels, tokens);
        }
    }
#pragma GCC unroll 32
    for (int n = 0; BITS_ANDS && n < panels * tokens; n++)
        sum[n] = _mm512_add_epi64(sum[n], sum[n]);
    bits_add_masked(cut, of, group, sum, panels, tokens);
    bits_store_tile(cut, sum, panels, tokens);
}

#endif
