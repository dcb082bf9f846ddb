/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of rows of blocks of codes of 1 or 2 bits as they are stored, 256 bits, four rows side by side: block_rows.h with a block a turn. A load that
 * repeats 16 bytes and one shift by 0 and 4 bits part the nibbles; what then stands at bits 0 and 2, of 1 bit at 1 and 3 after another shift, has a sum
 * of its own each: fields_lanes.S has them too. SUMS_OF_WORDS (AVX2): vpmaddubsw in place of vpdpbusd.
 */
#include <immintrin.h>
#include <string.h>

#include "micro/families/blocks/q8_avx2.h"
#include "micro/families/fields/fields_operand.h"
#include "micro/frames/rows.h"
#include "micro/kernel.h"

enum { FIELDS = 8 / FIELD_BITS, PART_REGISTERS = FIELDS / 2, REGISTERS = FIELD_PARTS * PART_REGISTERS };

/** The columns of a block. Byte i of a register meets byte i % 16 of 16 bytes of codes: from 16 on its high nibble. */
struct rows_operand {
    int8_t q[REGISTERS * 32];
    int32_t start[8]; /* -FIELD_OFFSET times the sum of what a lane meets */
    float scale;      /* over FIELD_OFFSET */
    int32_t unused[7];
} __attribute__((aligned(32)));

/** Where a column of a block lies in q. */
static inline size_t rows_place(size_t column)
{
    size_t part = column / FIELDS_COLUMNS, byte = column % FIELDS_COLUMNS / FIELDS;
    size_t index = fields_index((uint32_t)(column % FIELDS));
    return 32 * (part * PART_REGISTERS + index % PART_REGISTERS) + index / PART_REGISTERS * 16 + byte;
}

static inline double rows_value(const struct rows_operand *a, size_t column)
{
    return (double)a->scale * FIELD_OFFSET * a->q[rows_place(column)];
}

static void prepare(const void *activations, size_t k, void *prepared)
{
    const float *x = activations;
    struct rows_operand *to = prepared;
    for (size_t i = 0; i < k; i += BLOCK_COLUMNS, to++) {
        _Alignas(32) int8_t q[BLOCK_COLUMNS];
        struct q8_facts facts = q8_make(x + i, BLOCK_COLUMNS, q);
        __m256i start = _mm256_setzero_si256();
        memset(to, 0, sizeof *to);
        for (size_t column = 0; column < BLOCK_COLUMNS; column++)
            to->q[rows_place(column)] = q[column];
        for (size_t number = 0; number < REGISTERS; number++) {
            __m256i values = _mm256_load_si256((const __m256i *)(const void *)(to->q + 32 * number));
            start = _mm256_sub_epi32(start, q8_sums_of_4(values));
        }
        start = _mm256_mullo_epi32(start, _mm256_set1_epi32(FIELD_OFFSET));
        _mm256_store_si256((__m256i *)(void *)to->start, start);
        to->scale = facts.scale / FIELD_OFFSET;
    }
}

#define BLOCK_ACTIVATIONS struct rows_operand
#define BLOCK_VALUE       rows_value
#define BLOCKS_TOGETHER   (64 / BLOCK_BYTES)
#define ROW_BY_ROW        0

ROWS_INLINE __m256 add_block(__m256 sum, const uint8_t *weights, const struct rows_operand *a);

#include "micro/families/blocks/block_rows.h"

/** Adds what the bits under `mask` of each byte come to. */
ROWS_INLINE __m256i fields_add(__m256i sums, __m256i bytes, __m256i mask, const int8_t *q)
{
    __m256i codes = _mm256_and_si256(bytes, mask);
#ifdef SUMS_OF_WORDS
    return _mm256_add_epi16(sums, _mm256_maddubs_epi16(codes, block_load(q)));
#else
    return _mm256_dpbusd_avx_epi32(sums, codes, block_load(q));
#endif
}

ROWS_INLINE __m256i fields_whole(const uint8_t *codes, const struct rows_operand *a)
{
    const __m256i first = _mm256_set1_epi32(FIELD_MASK), second = _mm256_set1_epi32(4 * FIELD_MASK);
    const int8_t *q = a->q;
    __m256i low = _mm256_setzero_si256(), start = block_load(a->start);
#ifdef SUMS_OF_WORDS
    __m256i high = low;
#else
    __m256i high = start;
#endif
    ROWS_READ_AGAIN(q);
#pragma GCC unroll 2
    for (size_t part = 0; part < FIELD_PARTS; part++) {
        __m256i bytes = _mm256_broadcastsi128_si256(block_load_half(codes + 16 * part));
        bytes = _mm256_srlv_epi32(bytes, _mm256_setr_epi32(0, 0, 0, 0, 4, 4, 4, 4));
#pragma GCC unroll 2
        for (int turn = 0; turn < PART_REGISTERS / 2; turn++, q += 64) {
            bytes = turn ? _mm256_srli_epi32(bytes, 1) : bytes;
            low = fields_add(low, bytes, first, q);
            high = fields_add(high, bytes, second, q + 32);
            ROWS_IN_REGISTER(low);
            ROWS_IN_REGISTER(high);
        }
    }
#ifdef SUMS_OF_WORDS /* at most (2 * 3 * 4 + 2 * 12) * 127 * 2, of two parts of 2 bits */
    return _mm256_add_epi32(block_widen(_mm256_add_epi16(_mm256_slli_epi16(low, 2), high)), start);
#else
    return _mm256_add_epi32(_mm256_slli_epi32(low, 2), high);
#endif
}

ROWS_INLINE __m256 add_block(__m256 sum, const uint8_t *weights, const struct rows_operand *a)
{
    __m256i whole = fields_whole(weights + 2, a);
    __m256 scale = _mm256_mul_ps(block_scale(weights), _mm256_set1_ps(a->scale));
    return _mm256_fmadd_ps(_mm256_cvtepi32_ps(whole), scale, sum);
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = KERNEL_ORIGIN,
    .prefetch_bytes = 2048,
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = BLOCK_COLUMNS,
    .error_bound = Q8_ERROR_BOUND,
    .gemv = gemv,
    .prepared_bytes_per_step = sizeof(struct rows_operand),
    .prepare = prepare,
    .row = block_row,
};

#include "micro/frames/gamma.h"
