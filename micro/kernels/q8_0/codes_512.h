/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Codes of Q8_0 as they are multiplied, 512 bits: unsigned, for vpdpbusd.
 */
#include <immintrin.h>

#include "micro/kernels/rows.h"

#define CODE_OFFSET 128 /* of a code over its weight */

ROWS_INLINE __m512i byte_codes(__m512i bytes)
{
    return _mm512_xor_si512(bytes, _mm512_set1_epi8((char)0x80));
}
