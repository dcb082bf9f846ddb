/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of Q4_K and Q5_K, four blocks of a row at a time, four rows side by side: block_fours_avx512.h. A register of codes holds 32 weights of
 * two groups in its low nibbles and of two more in its high ones, so that the sums of either are eight lanes a group; those of both are packed
 * to 16 bits (31 * 127 * 4 = 15748) and meet the scales of their groups in one vpdpwssd. d, dmin, scales and minima of four blocks are one
 * register, a block a quarter, of which all that is packed is unpacked at once: first scales, then minima in each quarter. The sums of the
 * activations that minima meet are split in two digits, 32 high + low, so that vpdpbusd takes them.
 */
#include <string.h>

#include "micro/families/blocks/q8_avx2.h"
#include "micro/frames/rows.h"

extern const struct format SELF_FORMAT;

enum { BLOCKS = 4 };

/** The activations of four blocks. */
struct operand {
    int8_t q[BLOCKS][4][64]; /* [block][2 register + nibble], as the codes lie */
    int8_t low[BLOCKS]
              [16]; /* of the sums of 32 activations: sum = 32 high + low, low -16 … 15; where the minima lie, else 0 */
    int8_t high[BLOCKS][16];
    float scale[BLOCKS][2]; /* and its negative */
    float unused[8];
};

struct row_sums {
    __m512 steps, minima;
};

/** d, dmin and the 12 bytes after them of each block; zeros of blocks that are not. */
ROWS_INLINE __m512i block_heads(const uint8_t *weights, size_t blocks)
{
    __m512i heads = _mm512_zextsi128_si512(_mm_loadu_si128((const void *)weights));
    if (blocks > 1)
        heads = _mm512_inserti32x4(heads, _mm_loadu_si128((const void *)(weights + BLOCK_BYTES)), 1);
    if (blocks > 2)
        heads = _mm512_inserti32x4(heads, _mm_loadu_si128((const void *)(weights + 2 * BLOCK_BYTES)), 2);
    if (blocks > 3)
        heads = _mm512_inserti32x4(heads, _mm_loadu_si128((const void *)(weights + 3 * BLOCK_BYTES)), 3);
    return heads;
}

/** In each quarter bytes: scales of groups 0 … 7, then their minima. */
ROWS_INLINE __m512i group_bytes(__m512i heads)
{
    const __m512i low = _mm512_broadcast_i32x4(_mm_setr_epi32(0x3f3f3f3f, 0x0f0f0f0f, 0x3f3f3f3f, 0x0f0f0f0f));
    const __m512i high = _mm512_broadcast_i32x4(_mm_setr_epi32(0, 0x30303030, 0, 0x30303030));
    const __m512i down = _mm512_broadcast_i32x4(_mm_setr_epi32(0, 0, 0, 4));
    __m512i lower = _mm512_shuffle_epi32(heads, _MM_SHUFFLE(3, 2, 3, 1));
    __m512i upper = _mm512_srli_epi32(_mm512_shuffle_epi32(heads, _MM_SHUFFLE(2, 2, 1, 1)), 2);
    lower = _mm512_and_si512(_mm512_srlv_epi32(lower, down), low);
    return _mm512_ternarylogic_epi32(lower, upper, high, 0xf8); /* lower | (upper & high) */
}

/** d and the minima's scale of each block, times that of the activations: d0, -dmin0, d1, … */
ROWS_INLINE __m512 block_scales(__m512i heads, const struct operand *a)
{
    const __m512i first = _mm512_setr_epi32(0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12);
    __m128i pairs = _mm512_castsi512_si128(_mm512_permutexvar_epi32(first, heads));
    return _mm512_castps256_ps512(_mm256_mul_ps(_mm256_cvtph_ps(pairs), _mm256_load_ps(a->scale[0])));
}

/** Words: the scales of register `number`'s groups, of low nibbles and of high ones in each quarter. */
ROWS_INLINE __m512i spread(__m512i scales, int number)
{
    const __m512i group_of =
        _mm512_setr_epi64((int64_t)0x8000800080008000, (int64_t)0x8001800180018001, (int64_t)0x8000800080008000,
                          (int64_t)0x8001800180018001, (int64_t)0x8002800280028002, (int64_t)0x8003800380038003,
                          (int64_t)0x8002800280028002, (int64_t)0x8003800380038003);
    return _mm512_shuffle_epi8(scales, _mm512_add_epi8(group_of, _mm512_set1_epi16((int16_t)(4 * number))));
}

#if K_QUANT_BITS == 5
/** Codes with bit `group` of the bytes of `high` as their fifth, in the upper half bit `group` + 2. */
ROWS_INLINE __m512i with_fifth(__m512i codes, __m512i high, int group)
{
    int first = 4 - group, second = 4 - group - 2;
    __m512i to = _mm512_setr_epi32(first, first, first, first, first, first, first, first, second, second, second,
                                   second, second, second, second, second);
    __m512i from = _mm512_sub_epi32(_mm512_setzero_si512(), to);
    high = group < 4 ? _mm512_sllv_epi32(high, to) : _mm512_srlv_epi32(high, from);
    return _mm512_ternarylogic_epi32(codes, high, _mm512_set1_epi8(0x10), 0xf8); /* codes | (high & 0x10) */
}
#endif

/** 128 columns from weights on. */
ROWS_INLINE __m512i add_register(__m512i sum, const uint8_t *block, int number, __m512i scales, const int8_t (*a)[64])
{
    const __m512i nibble = _mm512_set1_epi8(15);
    __m512i codes = _mm512_loadu_si512(block + BLOCK_CODES + 64 * number);
    ROWS_IN_REGISTER(codes);
    __m512i low = _mm512_and_si512(codes, nibble), high = _mm512_and_si512(_mm512_srli_epi16(codes, 4), nibble);
#if K_QUANT_BITS == 5
    __m512i fifths = _mm512_broadcast_i64x4(_mm256_loadu_si256((const void *)(block + BLOCK_HIGH)));
    low = with_fifth(low, fifths, 4 * number);
    high = with_fifth(high, fifths, 4 * number + 1);
#endif
    low = _mm512_dpbusd_epi32(_mm512_setzero_si512(), low, _mm512_load_si512(a[2 * number]));
    high = _mm512_dpbusd_epi32(_mm512_setzero_si512(), high, _mm512_load_si512(a[2 * number + 1]));
    return _mm512_dpwssd_epi32(sum, _mm512_packs_epi32(low, high), spread(scales, number));
}

ROWS_INLINE __m512 add_block(__m512 sum, const uint8_t *weights, __m512i bytes, __m512 of_blocks, int b,
                             const struct operand *a)
{
    const uint8_t *block = weights + b * BLOCK_BYTES;
    __m512i scales = b == 0   ? _mm512_shuffle_i32x4(bytes, bytes, 0x00)
                     : b == 1 ? _mm512_shuffle_i32x4(bytes, bytes, 0x55)
                     : b == 2 ? _mm512_shuffle_i32x4(bytes, bytes, 0xaa)
                              : _mm512_shuffle_i32x4(bytes, bytes, 0xff);
    __m512i whole = add_register(_mm512_setzero_si512(), block, 0, scales, a->q[b]);
    whole = add_register(whole, block, 1, scales, a->q[b]);
    return _mm512_fmadd_ps(_mm512_cvtepi32_ps(whole), _mm512_permutexvar_ps(_mm512_set1_epi32(2 * b), of_blocks), sum);
}

/** Sums of minima and activations: the last two lanes of a quarter. */
ROWS_INLINE __m512i minima_sums(__m512i bytes, const struct operand *a)
{
    __m512i sums = _mm512_dpbusd_epi32(_mm512_setzero_si512(), bytes, _mm512_load_si512(a->high));
    return _mm512_dpbusd_epi32(_mm512_slli_epi32(sums, 5), bytes, _mm512_load_si512(a->low));
}

/** 1 to 4 blocks. */
ROWS_INLINE void add_blocks(struct row_sums *sum, const uint8_t *weights, size_t blocks, const struct operand *a)
{
    const __m512i minimum_of = _mm512_setr_epi32(1, 1, 1, 1, 3, 3, 3, 3, 5, 5, 5, 5, 7, 7, 7, 7);
    __m512i heads = block_heads(weights, blocks), bytes = group_bytes(heads);
    __m512 of_blocks = block_scales(heads, a), steps = sum->steps;
    /* written out: where a block's number is no constant, its permutations are made anew each time */
    steps = add_block(steps, weights, bytes, of_blocks, 0, a);
    if (blocks > 1)
        steps = add_block(steps, weights, bytes, of_blocks, 1, a);
    if (blocks > 2)
        steps = add_block(steps, weights, bytes, of_blocks, 2, a);
    if (blocks > 3)
        steps = add_block(steps, weights, bytes, of_blocks, 3, a);
    sum->steps = steps;
    __m512 minimum = _mm512_permutexvar_ps(minimum_of, of_blocks);
    sum->minima = _mm512_fmadd_ps(_mm512_cvtepi32_ps(minima_sums(bytes, a)), minimum, sum->minima);
}

ROWS_INLINE __m512 row_lanes(struct row_sums sum)
{
    return _mm512_add_ps(sum.steps, sum.minima);
}

#include "micro/families/blocks/block_fours_avx512.h"

static void prepare(const void *activations, size_t k, void *prepared)
{
    const float *x = activations;
    struct operand *operand = prepared;
    memset(prepared, 0, prepared_bytes(k));
    for (size_t block = 0; block < k / BLOCK_COLUMNS; block++) {
        struct operand *to = &operand[block / BLOCKS];
        size_t b = block % BLOCKS;
        struct q8_256 q8;
        q8_256_make(x + block * BLOCK_COLUMNS, BLOCK_COLUMNS, &q8);
        for (size_t group = 0; group < 8; group++) {
            int sum = q8.sums[2 * group] + q8.sums[2 * group + 1], high = (sum + 4096 + 16) / 32 - 128;
            memcpy(to->q[b][group / 4 * 2 + group % 2] + group % 4 / 2 * 32, q8.q + 32 * group, 32);
            to->high[b][8 + group] = (int8_t)high;
            to->low[b][8 + group] = (int8_t)(sum - 32 * high);
        }
        to->scale[b][0] = q8.scale;
        to->scale[b][1] = -q8.scale;
    }
}

static double value(const struct operand *operand, size_t column)
{
    const struct operand *of = &operand[column / BLOCK_COLUMNS / BLOCKS];
    size_t block = column / BLOCK_COLUMNS % BLOCKS, group = column % BLOCK_COLUMNS / 32;
    return (double)of->scale[block][0] * of->q[block][group / 4 * 2 + group % 2][group % 4 / 2 * 32 + column % 32];
}

#define K_QUANT_ACTIVATION value
#include "micro/families/k_quants/k_quant_row.h"

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = KERNEL_ORIGIN,
    .prefetch_bytes = 2048,
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = 256,
    .error_bound = Q8_ERROR_BOUND,
    .gemv = gemv,
    .prepared_bytes = prepared_bytes,
    .prepare = prepare,
    .row = minima_row,
};

#include "micro/frames/gamma.h"
