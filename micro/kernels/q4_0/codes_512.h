/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Codes of Q4_0 as they are multiplied, 512 bits.
 */
#include <immintrin.h>

#include "micro/kernels/rows.h"

#define CODE_OFFSET 8 /* of a code over its weight */

/** Of the low nibbles of bytes. */
ROWS_INLINE __m512i nibble_codes(__m512i bytes)
{
    return _mm512_and_si512(bytes, _mm512_set1_epi8(15));
}
