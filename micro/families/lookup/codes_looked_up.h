/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nibble_codes() on x86-64 of codes of 4 bits that a register holds the values of, and the products_*.h of these. The including codes.h defines before it
 *
 *   CODE_OFFSET   how much more than its weight a value is: where vpdpbusd needs it unsigned
 *   CODE_VALUES   16 bytes
 */
#include <immintrin.h>

#include "micro/of_self.h"

#include "micro/frames/rows.h"

/** Of the low nibbles of bytes. */
#ifdef __AVX512VBMI__
/* Six bits of an index count, and the values are there four times: nothing is masked. */
ROWS_INLINE __m512i nibble_codes(__m512i bytes)
{
    return _mm512_permutexvar_epi8(bytes, _mm512_broadcast_i32x4(_mm_setr_epi8(CODE_VALUES)));
}
#elif defined __AVX512F__
ROWS_INLINE __m512i nibble_codes(__m512i bytes)
{
    __m512i codes = _mm512_and_si512(bytes, _mm512_set1_epi8(15));
    return _mm512_shuffle_epi8(_mm512_broadcast_i32x4(_mm_setr_epi8(CODE_VALUES)), codes);
}
#else
ROWS_INLINE __m256i nibble_codes(__m256i bytes)
{
    __m256i codes = _mm256_and_si256(bytes, _mm256_set1_epi8(15));
    return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(_mm_setr_epi8(CODE_VALUES)), codes);
}

#include OF_ISA_H(micro/isa/products)
#endif
