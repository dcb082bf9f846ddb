/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The C half of a kernel whose inner loop is a step of lookup_digits_frame.h: its rows, and what the steps leave over.
 */
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#include "micro/kernel.h"

static void finish(const int32_t *raw, int32_t correction, int32_t *out)
{
    /* four rows at a time: a loop over rows stays one */
    for (int row = 0; row < ROWS; row += 4) {
        __m128i four = _mm_load_si128((const __m128i *)(const void *)(raw + row / 4 % SUMS * 16 + row / 16 * 4));
        _mm_storeu_si128((__m128i *)(void *)(out + row), _mm_add_epi32(four, _mm_set1_epi32(correction)));
    }
}

/** Add base * high + low of 64 rows to out[64]. */
static inline void digits_add(int32_t *out, __m512i low, __m512i high, int base)
{
    _Alignas(64) int8_t digits[2][ROWS];
    _mm512_store_si512(digits[0], low);
    _mm512_store_si512(digits[1], high);
    for (int row = 0; row < ROWS; row++)
        out[row] = add_wrapping(out[row], digits[0][row] + base * digits[1][row]);
}

/** What 64 indices find in a table of 16 bytes; bits 4-7 of an index mean nothing. */
static inline __m512i digits_find(const uint8_t *table, __m512i index)
{
    __m512i entries = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(const void *)table));
    return _mm512_permutexvar_epi8(index, entries);
}

static inline __m512i digits_upper(__m512i bytes)
{
    return _mm512_srli_epi32(bytes, 4);
}
