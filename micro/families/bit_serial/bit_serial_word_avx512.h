/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_FAMILIES_BIT_SERIAL_BIT_SERIAL_WORD_AVX512_H
#define MICRO_FAMILIES_BIT_SERIAL_BIT_SERIAL_WORD_AVX512_H

#include <immintrin.h>
#include <stdint.h>

#include "micro/families/bit_serial/bit_serial_operand.h"

/** A word of activations for 8 rows. */
BITS_INLINE __m512i bits_broadcast(const uint64_t *word)
{
    return _mm512_set1_epi64((long long)*word);
}

/** Bits in which both differ; with BITS_ANDS those that both have. */
BITS_INLINE __m512i bits_meet(__m512i w, __m512i x)
{
    return BITS_ANDS ? _mm512_and_si512(w, x) : _mm512_xor_si512(w, x);
}

#endif
