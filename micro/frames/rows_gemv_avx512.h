/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gemv() of a kernel in C whose panels are single rows and whose sums are float lanes of 512 bits, in place of ROWS_GEMV. The including .c defines
 * before it
 *
 *   static inline void rows(const struct gemv_slice *slice, const uint8_t *const *weights, __m512 *sum, int count)
 *
 * which multiplies `count` rows side by side (ROWS_TOGETHER, four) to lanes that are still to be added.
 *
 * A row of 768 columns is over in some 20 cycles, so what is done once for four of them counts as much as what is done for their weights. Here that
 * is 9 uops, which leave a part of each row's sum in every quarter of one register, and a store. These registers are added 16 at a time: one vector
 * serves four turns of four rows, and four stores have 16 results. The four addresses come of one by addition in integer registers.
 */
#ifndef MICRO_FRAMES_ROWS_GEMV_AVX512_H
#define MICRO_FRAMES_ROWS_GEMV_AVX512_H

#include <immintrin.h>

#include "micro/frames/rows.h"
#include "micro/least.h"

enum { ROWS_TURNS = 16 }; /* of ROWS_TOGETHER rows, before their lanes are added */

/** Of four rows, each a lane of every quarter. */
ROWS_INLINE __m512 rows_to_quarters(const __m512 *sum)
{
    __m512 one = _mm512_add_ps(_mm512_unpacklo_ps(sum[0], sum[1]), _mm512_unpackhi_ps(sum[0], sum[1]));
    __m512 other = _mm512_add_ps(_mm512_unpacklo_ps(sum[2], sum[3]), _mm512_unpackhi_ps(sum[2], sum[3]));
    __m512d a = _mm512_castps_pd(one), b = _mm512_castps_pd(other);
    return _mm512_add_ps(_mm512_castpd_ps(_mm512_unpacklo_pd(a, b)), _mm512_castpd_ps(_mm512_unpackhi_pd(a, b)));
}

/** The quarters of a, then those of b, added in pairs. */
ROWS_INLINE __m512 rows_add_quarters(__m512 a, __m512 b)
{
    return _mm512_add_ps(_mm512_shuffle_f32x4(a, b, 0x88), _mm512_shuffle_f32x4(a, b, 0xdd));
}

/** Results of up to four turns, from out on; those of the next row side by side lie `each` further. */
ROWS_INLINE void rows_store_turns(float *out, size_t each, const __m512 *turn, size_t turns)
{
    const __m512i by_way = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    __m512 sums = rows_add_quarters(rows_add_quarters(turn[0], turn[1]), rows_add_quarters(turn[2], turn[3]));
    sums = _mm512_permutexvar_ps(by_way, sums);
    const __m128 way[4] = {_mm512_castps512_ps128(sums), _mm512_extractf32x4_ps(sums, 1),
                           _mm512_extractf32x4_ps(sums, 2), _mm512_extractf32x4_ps(sums, 3)};
#pragma GCC unroll 4
    for (size_t r = 0; r < 4; r++) {
        if (turns >= 4)
            _mm_storeu_ps(out + r * each, way[r]);
        else
            _mm_mask_storeu_ps(out + r * each, (__mmask8)((1U << turns) - 1), way[r]);
    }
}

ROWS_INLINE void rows_together(const struct gemv_slice *given, size_t first, size_t each, size_t apart)
{
    _Static_assert(ROWS_TOGETHER == 4, "a register of four rows");
    const struct gemv_slice slice = *given; /* no store of a result can change this one */
    const uint8_t *at = slice.weights + first * slice.panel_bytes;
    __m512 turn[ROWS_TURNS] = {0};
    for (size_t done = 0, turns; done < each; done += turns) {
        turns = least(each - done, ROWS_TURNS);
        for (size_t i = 0; i < turns; i++, at += slice.panel_bytes) {
            const uint8_t *weights[ROWS_TOGETHER];
            __m512 sum[ROWS_TOGETHER];
            rows_addresses(weights, at, apart * slice.panel_bytes);
            rows(&slice, weights, sum, ROWS_TOGETHER);
            turn[i] = rows_to_quarters(sum);
        }
        for (size_t i = 0; i < turns; i += 4)
            rows_store_turns(slice.out_f32 + first + done + i, apart, turn + i, turns - i);
    }
}

ROWS_GEMV_OF_RUNS

#endif
