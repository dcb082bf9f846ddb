/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Codes of the orders of Q8_0 as they are multiplied on x86-64: unsigned for vpdpbusd, else signed. q8_0 stores them signed, q8_0_m16 128 more
 * (BLOCK_TURNED).
 */
#include <immintrin.h>

#include "micro/of_self.h"

#include "micro/frames/rows.h"

#if defined __AVX512VNNI__ || defined __AVXVNNI__
#define CODE_OFFSET 128 /* of a code over its weight */
#else
#define CODE_OFFSET 0
#endif

#ifdef __AVX512F__
ROWS_INLINE __m512i byte_codes(__m512i bytes)
{
    return BLOCK_TURNED == CODE_OFFSET ? bytes : _mm512_xor_si512(bytes, _mm512_set1_epi8((char)0x80));
}
#else
ROWS_INLINE __m256i byte_codes(__m256i bytes)
{
    return BLOCK_TURNED == CODE_OFFSET ? bytes : _mm256_xor_si256(bytes, _mm256_set1_epi8((char)0x80));
}

#include OF_ISA_H(micro/isa/products)
#endif
