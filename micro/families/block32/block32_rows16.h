/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of rows of blocks of 32 nibbles or bytes, or of codes of 1 or 2 bits in as many bytes, as they are stored: sixteen blocks
 * of a row at a time, four rows side by side. Four blocks share a register. Of blocks of 18 bytes one vpermw drops three of the scales that part the codes of 72 bytes, and the fourth block is inserted from
 * memory; of blocks of 34 bytes two are loaded side by side, and what two registers hold is parted into first and second halves of four blocks;
 * of blocks of 17 bytes, whose scale is one, each is inserted from memory, and since byte 17 i is byte i of quarter i, one vpshufb has the scales.
 * Their sums are in four lanes a block, so adding neighbours twice leaves a lane for each of the 16 blocks: one conversion, one
 * multiply-add and one vcvtph2ps serve them all, where each block had its own. What makes codes weights is added last. The including .c
 * includes before it the codes.h of its format, and says
 *
 *   CODES_ARE_BYTES   defined, with byte_codes() in place of nibble_codes()
 *   ROWS16_FIELDS     of codes of 1 or 2 bits in place of nibble_codes() or byte_codes(), as fields_blocks16.c defines it: how many registers of
 *                     activations 16 bytes of codes of four blocks meet, with group_products() and rows16_place()
 *   SCALE_BIAS        of scales of one byte: which of them stands for 1
 *   SUMS_FIT_16       1: sums of a block's codes and activations fit 16 bits in eight lanes, and in half as many twice that: packed and
 *                     added in pairs, three instructions less
 */
#ifndef MICRO_FAMILIES_BLOCK32_BLOCK32_ROWS16_H
#define MICRO_FAMILIES_BLOCK32_BLOCK32_ROWS16_H

#include <immintrin.h>
#include <stdbool.h>
#include <string.h>

#include "micro/families/blocks/q8_avx2.h"
#include "micro/frames/rows.h"

extern const struct format SELF_FORMAT;

#ifndef CODE_TIMES
#define CODE_TIMES 1 /* how many times itself a block's sum is */
#endif

enum { BLOCKS = 16, BLOCKS_BYTES = BLOCKS * BLOCK_BYTES, GROUP_BYTES = 4 * BLOCK_BYTES };

#ifdef ROWS16_FIELDS
enum { HALF_REGISTERS = ROWS16_FIELDS };
#elif defined CODES_ARE_BYTES
enum { HALF_REGISTERS = 1 };
#else
enum { HALF_REGISTERS = 2 };
#endif

/* of activations that a group meets: 16 bytes of codes of each of its blocks meet HALF_REGISTERS of them */
enum { REGISTERS = BLOCK_BYTES / 16 * HALF_REGISTERS };

/** The activations of 16 blocks. Block 4 g + i is quarter i of group g, and lane 4 i + g of what is per block. */
struct operand {
    int8_t q[4][REGISTERS][4][16]; /* [group][register][quarter]: rows16_place() */
    int32_t offset[BLOCKS];
    float scale[BLOCKS];
};

static inline size_t lane_of(size_t block)
{
    return block % 4 * 4 + block / 4;
}

#ifndef ROWS16_FIELDS
/** Where a column of a block lies among the quarters of its registers of activations. */
static inline size_t rows16_place(size_t column)
{
    return column;
}

/** Adds 16 bytes of codes of each of four blocks times what they meet. */
ROWS_INLINE __m512i group_products(__m512i sums, __m512i codes, const int8_t (*q)[4][16])
{
#ifdef CODES_ARE_BYTES
    return _mm512_dpbusd_epi32(sums, byte_codes(codes), _mm512_load_si512(q[0]));
#else
    sums = _mm512_dpbusd_epi32(sums, nibble_codes(codes), _mm512_load_si512(q[0]));
    return _mm512_dpbusd_epi32(sums, nibble_codes(_mm512_srli_epi16(codes, 4)), _mm512_load_si512(q[1]));
#endif
}
#endif

#if BLOCK_BYTES == 34
/** Two blocks side by side, quarters 2 pair and 2 pair + 1 of group g, or as many as there are; scales as in group_sums(). */
ROWS_INLINE __m512i two_blocks(const uint8_t *weights, size_t blocks, int g, int pair, __m512i *scales)
{
    const __m512i scales_of = _mm512_set_epi64(0, 0, 0, 0, 0x0011001100110011, 0, 0x0011001100110011, 0);
    if (!blocks)
        return _mm512_setzero_si512();
    bool are_two = blocks >= 2;
    __mmask64 bytes = are_two ? ~(__mmask64)0 : ((__mmask64)1 << BLOCK_BYTES) - 1;
    *scales = _mm512_mask_permutexvar_epi16(*scales, 0x11u << (8 * pair + g), scales_of,
                                            _mm512_maskz_loadu_epi8(bytes, weights));
    __m512i first = _mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)(const void *)(weights + 2)));
    if (!are_two)
        return _mm512_inserti64x4(first, _mm256_setzero_si256(), 1);
    const void *second = weights + BLOCK_BYTES + 2;
    return _mm512_inserti64x4(first, _mm256_loadu_si256((const __m256i *)second), 1);
}

/** 136 bytes of weights, or fewer of a group that ends a row. Their scales go where `scales` has room for those of group g. */
ROWS_INLINE __m512i group_sums(const uint8_t *weights, size_t blocks, const struct operand *a, int g, __m512i *scales)
{
    __m512i one = two_blocks(weights, blocks, g, 0, scales);
    __m512i other = two_blocks(weights + 2 * BLOCK_BYTES, blocks > 2 ? blocks - 2 : 0, g, 1, scales);
    __m512i sums =
        group_products(_mm512_setzero_si512(), _mm512_shuffle_i64x2(one, other, 0x88), (const int8_t(*)[4][16])a->q[g]);
    return group_products(sums, _mm512_shuffle_i64x2(one, other, 0xdd),
                          (const int8_t(*)[4][16])a->q[g] + HALF_REGISTERS);
}
#elif BLOCK_BYTES == 17
/** 16 bytes of codes of block i of a group, if it has this many. */
ROWS_INLINE __m128i codes_of(const uint8_t *weights, size_t blocks, size_t i)
{
    if (i >= blocks)
        return _mm_setzero_si128();
    return _mm_loadu_si128((const __m128i *)(const void *)(weights + i * BLOCK_BYTES + 1));
}

/** 68 bytes of weights, or fewer of a group that ends a row. Their scales go where `scales` has room for those of group g, a byte a lane. */
ROWS_INLINE __m512i group_sums(const uint8_t *weights, size_t blocks, const struct operand *a, int g, __m512i *scales)
{
    const __m512i scales_of = _mm512_set_epi32(-253, -253, -253, -253, -254, -254, -254, -254, -255, -255, -255, -255,
                                               -256, -256, -256, -256); /* of quarter i its byte i, and three zeros */
    __mmask64 bytes = blocks >= 4 ? ~(__mmask64)0 : ((__mmask64)1 << blocks * BLOCK_BYTES % 64) - 1;
    __m512i with_scales = _mm512_maskz_loadu_epi8(bytes, weights);
    *scales = _mm512_mask_shuffle_epi8(*scales, UINT64_C(0x000f000f000f000f) << 4 * g, with_scales, scales_of);
    __m512i codes = _mm512_castsi128_si512(codes_of(weights, blocks, 0));
    codes = _mm512_inserti32x4(codes, codes_of(weights, blocks, 1), 1);
    codes = _mm512_inserti32x4(codes, codes_of(weights, blocks, 2), 2);
    codes = _mm512_inserti32x4(codes, codes_of(weights, blocks, 3), 3);
    return group_products(_mm512_setzero_si512(), codes, (const int8_t(*)[4][16])a->q[g]);
}
#else
/**
 * 72 bytes of weights, or fewer of a group that ends a row: what is after it is not read, and meets zeros. Their scales
 * go where `scales` has room for those of group g.
 */
ROWS_INLINE __m512i group_sums(const uint8_t *weights, size_t blocks, const struct operand *a, int g, __m512i *scales)
{
    /* words 9 i + 1 … 9 i + 8 for blocks i of 0 to 2 */
    const __m512i codes_of = _mm512_set_epi64(0, 0, 0x001a001900180017, 0x0016001500140013, 0x00110010000f000e,
                                              0x000d000c000b000a, 0x0008000700060005, 0x0004000300020001);
    const __m512i scales_of =
        _mm512_set_epi64(0, 0, 0, 0, 0x001b001b001b001b, 0x0012001200120012, 0x0009000900090009, 0);
    bool is_whole = blocks >= 4;
    __mmask64 bytes = is_whole ? ~(__mmask64)0 : ((__mmask64)1 << blocks * BLOCK_BYTES) - 1;
    __m512i words = _mm512_maskz_loadu_epi8(bytes, weights);
    ROWS_IN_REGISTER(words); /* or it is read twice, across a line mostly */
    *scales = _mm512_mask_permutexvar_epi16(*scales, 0x1111u << g, scales_of, words);
    __m512i codes = _mm512_permutexvar_epi16(codes_of, words);
    __m128i fourth = _mm_maskz_loadu_epi8(is_whole ? 0xffff : 0, weights + 3 * BLOCK_BYTES + 2);
    codes = _mm512_inserti32x4(codes, fourth, 3);
    return group_products(_mm512_setzero_si512(), codes, (const int8_t(*)[4][16])a->q[g]);
}
#endif

#if SUMS_FIT_16
/** Pairs of neighbouring 32-bit lanes, which fit 16 bits, of a and then of b in each quarter. */
ROWS_INLINE __m512i add_pairs(__m512i a, __m512i b)
{
    return _mm512_madd_epi16(_mm512_packs_epi32(a, b), _mm512_set1_epi16(1));
}

ROWS_INLINE __m512i add_lanes(const __m512i *sums, __m512i offset)
{
    __m512i pairs = _mm512_packs_epi32(add_pairs(sums[0], sums[1]), add_pairs(sums[2], sums[3]));
    return _mm512_dpwssd_epi32(offset, pairs, _mm512_set1_epi16(1));
}
#else
/** Lanes 0 and 2, and 1 and 3 of each quarter of a and b, in turn. */
ROWS_INLINE __m512i add_pairs(__m512i a, __m512i b)
{
    return _mm512_add_epi32(_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
}

ROWS_INLINE __m512i add_lanes(const __m512i *sums, __m512i offset)
{
    __m512i first = add_pairs(sums[0], sums[1]), second = add_pairs(sums[2], sums[3]);
    __m512i whole = _mm512_add_epi32(_mm512_unpacklo_epi64(first, second), _mm512_unpackhi_epi64(first, second));
    return _mm512_add_epi32(whole, offset);
}
#endif

/** The scales of 16 blocks times those of their activations. */
ROWS_INLINE __m512 block_scales(__m512i scales, const struct operand *a)
{
#if BLOCK_BYTES == 17
    __m512 exponents = _mm512_cvtepi32_ps(_mm512_sub_epi32(scales, _mm512_set1_epi32(SCALE_BIAS)));
    return _mm512_scalef_ps(_mm512_load_ps(a->scale), exponents);
#else
    return _mm512_mul_ps(_mm512_cvtph_ps(_mm512_castsi512_si256(scales)), _mm512_load_ps(a->scale));
#endif
}

/** The sums of group g of this many blocks, if it has any of them. */
ROWS_INLINE __m512i group_of(const uint8_t *weights, size_t blocks, const struct operand *a, size_t g, __m512i *scales)
{
    if (blocks <= 4 * g)
        return _mm512_setzero_si512();
    return group_sums(weights + g * GROUP_BYTES, blocks - 4 * g, a, (int)g, scales);
}

/** Of a row's 1 to 16 blocks, a constant. */
struct row_groups {
    __m512i sums[4], scales;
};

/** Groups that are not there cost nothing, and only bytes after the row are masked. */
ROWS_INLINE struct row_groups groups_of(const uint8_t *weights, size_t blocks, const struct operand *a)
{
    struct row_groups of = {.scales = _mm512_setzero_si512()};
#pragma GCC unroll 4
    for (size_t g = 0; g < 4; g++)
        of.sums[g] = group_of(weights, blocks, a, g, &of.scales);
    return of;
}

ROWS_INLINE __m512 add_groups(__m512 sum, const struct row_groups *of, const struct operand *a)
{
    __m512i whole = add_lanes(of->sums, _mm512_load_si512(a->offset));
    return _mm512_fmadd_ps(_mm512_cvtepi32_ps(whole), block_scales(of->scales, a), sum);
}

/**
 * This many blocks of each row, a constant. The sums of a row are added when the products of the next one are under way: their dozen of steps,
 * each of which waits for the one before, would else hold the places of the schedulers that those products need.
 */
ROWS_INLINE void add_blocks(__m512 *sum, const uint8_t *const *weights, size_t at, size_t blocks,
                            const struct operand *a, int count, bool fetches, size_t prefetch)
{
    const size_t ahead = rows_distance(at, prefetch);
    struct row_groups of[ROWS_TOGETHER];
#pragma GCC unroll 5
    for (int r = 0; r <= count; r++) {
        if (r < count) {
            if (fetches)
                rows_prefetch(weights[r], blocks * BLOCK_BYTES, ahead);
            if (REGISTERS >= 4) /* of activations, times four groups: more than registers hold */
                ROWS_READ_AGAIN(a);
            of[r] = groups_of(rows_at(weights[r], at), blocks, a);
        }
        if (r > 0)
            sum[r - 1] = add_groups(sum[r - 1], &of[r - 1], a);
    }
}

ROWS_INLINE void rows(const struct gemv_slice *slice, const uint8_t *const *weights, __m512 *sum, int count)
{
    const struct operand *operand = slice->prepared;
    const size_t whole = slice->steps / BLOCKS, rest = slice->steps % BLOCKS, prefetch = slice->prefetch_bytes;
    size_t at = 0;
#pragma GCC unroll 4
    for (int r = 0; r < count; r++)
        sum[r] = _mm512_setzero_ps();
    for (size_t i = 0; i < whole; i++, at += BLOCKS_BYTES, operand++)
        add_blocks(sum, weights, at, BLOCKS, operand, count, true, prefetch);
#define REST(blocks)                                                                                                   \
    case blocks: add_blocks(sum, weights, at, blocks, operand, count, true, prefetch); break
    switch (rest) {
        REST(1);
        REST(2);
        REST(3);
        REST(4);
        REST(5);
        REST(6);
        REST(7);
        REST(8);
        REST(9);
        REST(10);
        REST(11);
        REST(12);
        REST(13);
        REST(14);
        REST(15);
    default: break;
    }
#undef REST
}

#include "micro/frames/rows_gemv_avx512.h"

static size_t prepared_bytes(size_t k)
{
    return (k / BLOCK_COLUMNS + BLOCKS - 1) / BLOCKS * sizeof(struct operand);
}

static void prepare(const void *activations, size_t k, void *prepared)
{
    const float *x = activations;
    struct operand *operand = prepared;
    memset(prepared, 0, prepared_bytes(k));
    for (size_t block = 0; block < k / BLOCK_COLUMNS; block++) {
        struct operand *to = &operand[block / BLOCKS];
        size_t group = block % BLOCKS / 4, quarter = block % 4, lane = lane_of(block % BLOCKS);
        _Alignas(32) int8_t q[BLOCK_COLUMNS];
        struct q8_facts facts = q8_make(x + block * BLOCK_COLUMNS, BLOCK_COLUMNS, q);
        for (size_t i = 0; i < BLOCK_COLUMNS; i++)
            to->q[group][rows16_place(i) / 16][quarter][rows16_place(i) % 16] = q[i];
        to->offset[lane] = -CODE_OFFSET * facts.sum;
        to->scale[lane] = facts.scale / CODE_TIMES;
    }
}

static double value(const struct operand *operand, size_t column)
{
    size_t block = column / BLOCK_COLUMNS % BLOCKS, place = rows16_place(column % BLOCK_COLUMNS);
    const struct operand *of = &operand[column / BLOCK_COLUMNS / BLOCKS];
    return (double)of->scale[lane_of(block)] * CODE_TIMES * of->q[block / 4][place / 16][block % 4][place % 16];
}

KERNEL_ROW(row_of, value(prepared, column))

/* its gamma: micro/frames/gamma.h */
#define STEP_SUM          __m512
#define STEP_ACTIVATIONS  struct operand
#define STEP_ROWS         1
#define STEP_COLUMNS      BLOCK_COLUMNS
#define STEP_BYTES        BLOCK_BYTES
#define STEPS_TOGETHER    BLOCKS
#define STEP_ACCUMULATORS ROWS_TOGETHER
#define STEP_OF_ROWS
#define step_zero _mm512_setzero_ps

ROWS_INLINE void step_add_rows(__m512 *sum, const uint8_t *const *weights, const struct operand *a, int count)
{
    add_blocks(sum, weights, 0, BLOCKS, a, count, false, 0);
}

ROWS_INLINE void step_finish(float *rows, __m512 sum)
{
    rows[0] = _mm512_reduce_add_ps(sum);
}

#define BLOCK32_ROWS16_KERNEL                                                                                          \
    {                                                                                                                  \
        .name = SELF_NAME, .sequence = SELF_SEQUENCE, .isa = SELF_ISA, .format = &SELF_FORMAT,                         \
        .origin = KERNEL_ORIGIN, .prefetch_bytes = 2048, .takes = KERNEL_TAKES_F32, .gives = KERNEL_GIVES_F32,         \
        .float_sums = BLOCKS * BLOCK_COLUMNS, .error_bound = Q8_ERROR_BOUND, .gemv = gemv,                             \
        .prepared_bytes = prepared_bytes, .prepare = prepare, .row = row_of                                            \
    }

#endif
