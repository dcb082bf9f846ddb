/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Codes of MXFP4 looked up to be multiplied as unsigned bytes, twice the value and 12 more, 512 bits.
 */
#include <immintrin.h>

#include "micro/kernels/mxfp4/scale.h"
#include "micro/kernels/rows.h"

#define CODE_OFFSET 12

/** Of the low nibbles of bytes. */
ROWS_INLINE __m512i nibble_codes(__m512i bytes)
{
    __m512i codes = _mm512_and_si512(bytes, _mm512_set1_epi8(15));
    return _mm512_shuffle_epi8(_mm512_broadcast_i32x4(_mm_setr_epi8(MXFP4_TWICE_OFFSET)), codes);
}
