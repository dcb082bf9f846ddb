/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Codes of Q4_0 as they are multiplied, 256 bits.
 */
#include <immintrin.h>

#include "micro/kernels/rows.h"

#define CODE_OFFSET 8 /* of a code over its weight */

/** Of the low nibbles of bytes. */
ROWS_INLINE __m256i nibble_codes(__m256i bytes)
{
    return _mm256_and_si256(bytes, _mm256_set1_epi8(15));
}
