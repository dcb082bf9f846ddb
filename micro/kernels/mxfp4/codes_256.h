/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Codes of MXFP4 looked up to be multiplied as unsigned bytes, twice the value and 12 more, 256 bits.
 */
#include <immintrin.h>

#include "micro/kernels/mxfp4/scale.h"
#include "micro/kernels/rows.h"

#define CODE_OFFSET 12

/** Of the low nibbles of bytes. */
ROWS_INLINE __m256i nibble_codes(__m256i bytes)
{
    __m256i codes = _mm256_and_si256(bytes, _mm256_set1_epi8(15));
    return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(_mm_setr_epi8(MXFP4_TWICE_OFFSET)), codes);
}
