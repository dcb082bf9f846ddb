/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of rows as they are stored, four blocks of a row at a time, four rows side by side. A register of codes holds a group of 16 weights in each
 * quarter of each field, so the sums of a field are four lanes a group; those of two fields are packed to 16 bits and
 * meet the scales of their groups in one vpdpwssd. Fields stay at bits 1:0 and 3:2 after one shift: the upper ones,
 * four times too large, keep lanes of their own to the end of the row. What is a byte a group (scales, minima) and what
 * is once a block (d, dmin) is made ready for four blocks at once, and what rows share is loaded once for the four of them: a load of its own
 * by each took 46 of 64 bytes for four blocks of a row; the sums of the activations that the minima meet are
 * split in two digits, 16 high + low, so that vpdpbusd takes them. A lane of a field reaches 12 * 127 * 4 = 6096.
 *
 * With AVX-512 VBMI vpermb spreads the scales of groups: 90 vector uops for four blocks, 2.8 for 32 weights, where q2_k.mask.avx2 takes 5.1.
 * Without it the scales of a block are brought to all quarters, and vpshufb spreads them: 4 uops more for four blocks.
 */
#include <stdbool.h>
#include <string.h>

#include "micro/families/blocks/q8_avx2.h"
#include "micro/frames/rows.h"

extern const struct format SELF_FORMAT;

enum { BLOCKS = 4 };

/** The activations of four blocks. */
struct operand {
    int8_t q[BLOCKS][4][64]; /* [block][field], as the codes lie */
    int8_t low[BLOCKS][16];  /* of the sums of 16 activations: sum = 16 high + low, low -8 … 8 */
    int8_t high[BLOCKS][16];
    float scale[BLOCKS][2]; /* and its negative */
    float unused[8];
};

/** The group that each quarter of the codes holds, of field 0: words. */
ROWS_INLINE __m512i first_groups(void)
{
    return _mm512_set_epi64(0x000b000b000b000b, 0x0009000900090009, 0x000a000a000a000a, 0x0008000800080008,
                            0x0003000300030003, 0x0001000100010001, 0x0002000200020002, 0);
}

/*
 * scales_of(groups, block): what spread() takes the scales of a block from, of those of four blocks, a quarter each; places_of(block, field): where that has those of
 * field `field` and the next one, of the group that each quarter of the codes holds; spread(scales, places): words.
 */
#ifdef __AVX512VBMI__
ROWS_INLINE __m512i scales_of(__m512i groups, int block)
{
    (void)block;
    return groups;
}

ROWS_INLINE __m512i places_of(int block, int field)
{
    return _mm512_add_epi8(first_groups(), _mm512_set1_epi8((char)(16 * block + 2 * field)));
}

ROWS_INLINE __m512i spread(__m512i scales, __m512i places)
{
    return _mm512_maskz_permutexvar_epi8(0x5555555555555555, places, scales);
}
#else
ROWS_INLINE __m512i scales_of(__m512i groups, int block)
{
    __m512i quarter = _mm512_broadcast_i32x4(_mm_set_epi64x(2 * block + 1, 2 * block));
    return _mm512_permutexvar_epi64(quarter, groups);
}

ROWS_INLINE __m512i places_of(int block, int field)
{
    (void)block;
    return _mm512_add_epi16(first_groups(), _mm512_set1_epi16((int16_t)(0x8000 + 2 * field)));
}

ROWS_INLINE __m512i spread(__m512i scales, __m512i places)
{
    return _mm512_shuffle_epi8(scales, places);
}
#endif

/** Sums of `number` and `number` + 1 of the fields, times the scales of their groups, onto `sum`. */
ROWS_INLINE __m512i add_fields(__m512i sum, __m512i codes, __m512i scales, __m512i places, const __m512i *a)
{
    __m512i one = _mm512_dpbusd_epi32(_mm512_setzero_si512(), _mm512_and_si512(codes, _mm512_set1_epi8(0x03)), a[0]);
    __m512i four = _mm512_dpbusd_epi32(_mm512_setzero_si512(), _mm512_and_si512(codes, _mm512_set1_epi8(0x0c)), a[1]);
    return _mm512_dpwssd_epi32(sum, _mm512_packs_epi32(one, four), spread(scales, places));
}

/** d and the minimum's scale of each block, times that of the activations: d0, -dmin0, d1, …; 0 of blocks that are not. */
ROWS_INLINE __m512 block_scales(const uint8_t *weights, size_t blocks, const struct operand *a)
{
    int32_t halves[BLOCKS] = {0};
    for (size_t b = 0; b < blocks; b++)
        memcpy(&halves[b], weights + b * BLOCK_BYTES + BLOCK_D, sizeof halves[b]);
    __m128i pairs = _mm_setr_epi32(halves[0], halves[1], halves[2], halves[3]);
    return _mm512_castps256_ps512(_mm256_mul_ps(_mm256_cvtph_ps(pairs), _mm256_load_ps(a->scale[0])));
}

/** Scales and minima of the groups of each block. */
ROWS_INLINE __m512i group_bytes(const uint8_t *weights, size_t blocks)
{
    __m512i groups = _mm512_castsi128_si512(_mm_loadu_si128((const void *)weights));
    if (blocks > 1)
        groups = _mm512_inserti32x4(groups, _mm_loadu_si128((const void *)(weights + BLOCK_BYTES)), 1);
    if (blocks > 2)
        groups = _mm512_inserti32x4(groups, _mm_loadu_si128((const void *)(weights + 2 * BLOCK_BYTES)), 2);
    if (blocks > 3)
        groups = _mm512_inserti32x4(groups, _mm_loadu_si128((const void *)(weights + 3 * BLOCK_BYTES)), 3);
    return groups;
}

/** Sums of minima and activations: four lanes a block. */
ROWS_INLINE __m512i minima_sums(__m512i groups, const struct operand *a)
{
    __m512i sums = _mm512_dpbusd_epi32(_mm512_setzero_si512(), _mm512_and_si512(groups, _mm512_set1_epi8((char)0xf0)),
                                       _mm512_load_si512(a->high));
    __m512i minima = _mm512_and_si512(_mm512_srli_epi16(groups, 4), _mm512_set1_epi8(15));
    return _mm512_dpbusd_epi32(sums, minima, _mm512_load_si512(a->low));
}

struct row_sums {
    __m512 steps, minima;
};

/** What is made ready of up to four blocks of a row. */
struct row_scales {
    __m512i groups;   /* scales of groups, bytes */
    __m512 of_blocks; /* block_scales() */
};

ROWS_INLINE struct row_scales add_minima(struct row_sums *sum, const uint8_t *weights, size_t blocks,
                                         const struct operand *a)
{
    const __m512i minimum_of = _mm512_setr_epi32(1, 1, 1, 1, 3, 3, 3, 3, 5, 5, 5, 5, 7, 7, 7, 7);
    __m512i groups = group_bytes(weights, blocks);
    __m512 of_blocks = block_scales(weights, blocks, a);
    __m512 minimum = _mm512_permutexvar_ps(minimum_of, of_blocks);
    sum->minima = _mm512_fmadd_ps(_mm512_cvtepi32_ps(minima_sums(groups, a)), minimum, sum->minima);
    return (struct row_scales){_mm512_and_si512(groups, _mm512_set1_epi8(15)), of_blocks};
}

/** Block b of each row: its activations are loaded once for all. */
ROWS_INLINE void add_codes(struct row_sums *sum, const uint8_t *const *weights, const struct row_scales *scales, int b,
                           const struct operand *a, int count)
{
    __m512i field[4], first = places_of(b, 0), second = places_of(b, 2), block = _mm512_set1_epi32(2 * b);
#pragma GCC unroll 4
    for (int n = 0; n < 4; n++) {
        field[n] = _mm512_load_si512(a->q[b][n]);
        ROWS_IN_REGISTER(field[n]);
    }
    ROWS_IN_REGISTER(first);
    ROWS_IN_REGISTER(second);
#pragma GCC unroll 4
    for (int r = 0; r < count; r++) {
        __m512i codes = _mm512_loadu_si512(weights[r] + (size_t)b * BLOCK_BYTES + BLOCK_CODES);
        ROWS_IN_REGISTER(codes);
        __m512i groups = scales_of(scales[r].groups, b);
        __m512i whole = add_fields(_mm512_setzero_si512(), codes, groups, first, &field[0]);
        whole = add_fields(whole, _mm512_srli_epi16(codes, 4), groups, second, &field[2]);
        __m512 scale = _mm512_permutexvar_ps(block, scales[r].of_blocks);
        sum[r].steps = _mm512_fmadd_ps(_mm512_cvtepi32_ps(whole), scale, sum[r].steps);
    }
}

/** 1 to 4 blocks: one of each row, and of some rows what lies ahead, so that fetches are spread among them. */
ROWS_INLINE void add_block(struct row_sums *sum, const uint8_t *const *from, size_t blocks,
                           const struct row_scales *scales, int b, const struct operand *a, int count, bool fetches,
                           size_t prefetch)
{
#pragma GCC unroll 4
    for (int r = b; fetches && r < count; r += (int)blocks)
        rows_prefetch(from[r], blocks * BLOCK_BYTES, prefetch);
    add_codes(sum, from, scales, b, a, count);
}

#define ADDS_ROWS
ROWS_INLINE void add_rows(struct row_sums *sum, const uint8_t *const *weights, size_t at, size_t blocks,
                          const struct operand *a, int count, bool fetches, size_t prefetch)
{
    struct row_scales scales[ROWS_TOGETHER];
    const uint8_t *from[ROWS_TOGETHER];
#pragma GCC unroll 4
    for (int r = 0; r < count; r++)
        from[r] = rows_at(weights[r], at);
#pragma GCC unroll 4
    for (int r = 0; r < count; r++)
        scales[r] = add_minima(&sum[r], from[r], blocks, a);
    /* written out: where a block's number is no constant, its permutations are made anew each time */
    add_block(sum, from, blocks, scales, 0, a, count, fetches, prefetch);
    if (blocks > 1)
        add_block(sum, from, blocks, scales, 1, a, count, fetches, prefetch);
    if (blocks > 2)
        add_block(sum, from, blocks, scales, 2, a, count, fetches, prefetch);
    if (blocks > 3)
        add_block(sum, from, blocks, scales, 3, a, count, fetches, prefetch);
}

ROWS_INLINE __m512 row_lanes(struct row_sums sum)
{
    const __m512 field = _mm512_setr_ps(1, 1, 0.25f, 0.25f, 1, 1, 0.25f, 0.25f, 1, 1, 0.25f, 0.25f, 1, 1, 0.25f, 0.25f);
    return _mm512_fmadd_ps(sum.steps, field, sum.minima);
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
        for (size_t field = 0; field < 4; field++) {
            memcpy(to->q[b][field], q8.q + 32 * field, 32);
            memcpy(to->q[b][field] + 32, q8.q + 128 + 32 * field, 32);
        }
        for (size_t group = 0; group < 16; group++) {
            int high = (q8.sums[group] + 2048 + 8) / 16 - 128;
            to->high[b][group] = (int8_t)high;
            to->low[b][group] = (int8_t)(q8.sums[group] - 16 * high);
        }
        to->scale[b][0] = q8.scale;
        to->scale[b][1] = -q8.scale;
    }
}

static double value(const struct operand *operand, size_t column)
{
    const struct operand *of = &operand[column / BLOCK_COLUMNS / BLOCKS];
    size_t block = column / BLOCK_COLUMNS % BLOCKS;
    return (double)of->scale[block][0] * of->q[block][column % 128 / 32][column % 256 / 128 * 32 + column % 32];
}

#define Q2_K_ACTIVATION value
#include "micro/formats/q2_k/row.h"

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = KERNEL_ORIGIN,
    .prefetch_bytes = 3072,
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
