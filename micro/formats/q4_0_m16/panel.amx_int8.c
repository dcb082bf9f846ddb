/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Requantized: micro/families/amx/amx_requantized.h. Its 16 rows are those of a panel.
 */
#include "micro/families/amx/amx_requantized_m16.h"

/* Values are code - 8: of 16 only nine magnitudes, 0 … 8, are multiplied and rounded. */

static inline __m512i magnitudes_of(__m512i codes)
{
    return _mm512_abs_epi8(_mm512_sub_epi8(codes, _mm512_set1_epi8(8)));
}

static inline void values_make(__m512 ratio, __m512i *bytes)
{
    const __m512i zero = _mm512_setzero_si512();
    __m512i q[9];
#pragma GCC unroll 9
    for (int i = 0; i <= 8; i++)
        q[i] = _mm512_cvtps_epi32(_mm512_mul_ps(ratio, _mm512_set1_ps((float)i)));
    bytes[0] = _mm512_sub_epi8(zero, bytes_of(q[8], q[7], q[6], q[5]));
    bytes[1] = _mm512_sub_epi8(zero, bytes_of(q[4], q[3], q[2], q[1]));
    bytes[2] = bytes_of(q[0], q[1], q[2], q[3]);
    bytes[3] = bytes_of(q[4], q[5], q[6], q[7]);
}

static int32_t code_value(const uint8_t *panel, uint32_t row, size_t column)
{
    return (int32_t)code_of(panel, row, column) - 8;
}

const struct kernel SELF = AMX_REQUANTIZED_KERNEL(4096);
