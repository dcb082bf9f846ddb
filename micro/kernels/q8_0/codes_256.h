/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Codes of Q8_0 as they are multiplied, 256 bits: unsigned, for vpdpbusd.
 */
#include <immintrin.h>

#include "micro/kernels/rows.h"

#define CODE_OFFSET 128 /* of a code over its weight */

ROWS_INLINE __m256i byte_codes(__m256i bytes)
{
    return _mm256_xor_si256(bytes, _mm256_set1_epi8((char)0x80));
}
