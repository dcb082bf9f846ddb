/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Requantized: micro/families/amx/amx_requantized.h. Its 16 rows are those of a panel, and each of the 16 values has a product and a rounding of
 * its own: some 15 uops a block more than Q4_0 takes.
 */
#include "micro/families/amx/amx_requantized_m16.h"
#include "micro/formats/iq4_nl/codebook.h"

static inline __m512i magnitudes_of(__m512i codes)
{
    const __m512i magnitudes = _mm512_broadcast_i32x4(_mm_abs_epi8(_mm_setr_epi8(IQ4_NL_CODEBOOK)));
    return _mm512_shuffle_epi8(magnitudes, codes);
}

static inline void values_make(__m512 ratio, __m512i *bytes)
{
    static const float values[] = {IQ4_NL_CODEBOOK};
    __m512i q[16];
#pragma GCC unroll 16
    for (int i = 0; i < 16; i++)
        q[i] = _mm512_cvtps_epi32(_mm512_mul_ps(ratio, _mm512_set1_ps(values[i])));
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++)
        bytes[i] = bytes_of(q[4 * i], q[4 * i + 1], q[4 * i + 2], q[4 * i + 3]);
}

static int32_t code_value(const uint8_t *panel, uint32_t row, size_t column)
{
    static const int8_t values[] = {IQ4_NL_CODEBOOK};
    return values[code_of(panel, row, column)];
}

const struct kernel SELF = AMX_REQUANTIZED_KERNEL(4096);
