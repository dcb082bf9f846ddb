/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Codes of the orders of Q4_0 as they are multiplied on x86-64: unsigned. Without vpdpbusd words hold sums of their products.
 */
#include <immintrin.h>

#include "micro/frames/rows.h"

#define CODE_OFFSET 8 /* of a code over its weight */

/** Of the low nibbles of bytes. */
#ifdef __AVX512F__
ROWS_INLINE __m512i nibble_codes(__m512i bytes)
{
    return _mm512_and_si512(bytes, _mm512_set1_epi8(15));
}
#else
ROWS_INLINE __m256i nibble_codes(__m256i bytes)
{
    return _mm256_and_si256(bytes, _mm256_set1_epi8(15));
}

#ifdef __AVXVNNI__
#include "micro/isa/products_avx_vnni.h"
#else
#include "micro/families/blocks/products_words_avx2.h"
#endif
#endif
