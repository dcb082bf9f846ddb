/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of rows of blocks of codes of 1 or 2 bits as they are stored, sixteen blocks of a row a turn: block32_rows16.h with codes that stay in their
 * bytes, two to a nibble with a sum of their own each (fields_lanes.S). Of 32 weights pq2_0 takes what q2_0 takes.
 */
#include <immintrin.h>

#include "micro/families/fields/fields_operand.h"
#include "micro/frames/rows.h"

enum { FIELDS = 8 / FIELD_BITS };

#define ROWS16_FIELDS FIELDS
#define CODE_OFFSET   FIELD_OFFSET
#define CODE_TIMES    FIELD_OFFSET
#define SUMS_FIT_16   0

static inline size_t rows16_place(size_t column)
{
    size_t half = column / FIELDS_COLUMNS, byte = column % FIELDS_COLUMNS / FIELDS;
    return 16 * (half * FIELDS + fields_index((uint32_t)(column % FIELDS))) + byte;
}

ROWS_INLINE __m512i group_products(__m512i sums, __m512i codes, const int8_t (*q)[4][16])
{
    const __m512i first = _mm512_set1_epi32(FIELD_MASK), second = _mm512_set1_epi32(4 * FIELD_MASK);
    const int shifts[4] = {0, FIELD_BITS == 1 ? 1 : 4, 4, 5};
    __m512i low = _mm512_setzero_si512();
#pragma GCC unroll 4
    for (int turn = 0; turn < FIELD_TURNS; turn++, q += 2) {
        __m512i bytes = turn ? _mm512_srli_epi32(codes, (unsigned)shifts[turn]) : codes;
        low = _mm512_dpbusd_epi32(low, _mm512_and_si512(bytes, first), _mm512_load_si512(q[0]));
        sums = _mm512_dpbusd_epi32(sums, _mm512_and_si512(bytes, second), _mm512_load_si512(q[1]));
    }
    return _mm512_add_epi32(_mm512_slli_epi32(low, 2), sums);
}

#include "micro/families/block32/block32_rows16.h"

const struct kernel SELF = BLOCK32_ROWS16_KERNEL;

#include "micro/frames/gamma.h"
