/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sixteen blocks of a row at a time, four rows side by side. Four blocks share a register: one vpermw drops three of
 * the scales that part the codes of 72 bytes, and the fourth block is inserted from memory. Their sums have 16 bits in
 * four lanes a block, so packing and adding pairs twice leaves a lane for each of the 16 blocks: one conversion, one
 * multiply-add and one vcvtph2ps serve them all, where each block had its own. The offset of 8 is where the last
 * addition starts. 43 vector uops for 16 blocks, 2.7 for 32 weights; q4_0.rows.avx2 takes 10.
 *
 * Sums of codes and activations reach 15 * 127 * 8 a lane and twice that after the first pairs: 30480.
 */
#include <string.h>

#include "micro/kernels/q4_0/layout.h"
#include "micro/kernels/q8_avx2.h"
#include "micro/kernels/rows.h"

#include <math.h>

extern const struct format SELF_FORMAT;

enum { BLOCKS = 16, BLOCKS_BYTES = BLOCKS * BLOCK_BYTES, GROUP_BYTES = 4 * BLOCK_BYTES };

/** The activations of 16 blocks. Block 4 g + i is quarter i of group g, and lane 4 i + g of what is per block. */
struct operand {
    int8_t q[4][2][4][16]; /* [group][low and high nibbles][quarter] */
    int32_t offset[BLOCKS];
    float scale[BLOCKS];
};

static inline size_t lane_of(size_t block)
{
    return block % 4 * 4 + block / 4;
}

/**
 * 72 bytes of weights, or fewer of a group that ends a row: what is behind it is not read, and meets zeros. Their scales
 * go where `scales` has room for those of group g.
 */
ROWS_INLINE __m512i group_sums(const uint8_t *weights, size_t blocks, const struct operand *a, int g, __m512i *scales)
{
    const __m512i nibble = _mm512_set1_epi8(15);
    /* words 9 i + 1 … 9 i + 8 for blocks i of 0 to 2 */
    const __m512i codes_of = _mm512_set_epi64(0, 0, 0x001a001900180017, 0x0016001500140013, 0x00110010000f000e,
                                              0x000d000c000b000a, 0x0008000700060005, 0x0004000300020001);
    const __m512i scales_of =
        _mm512_set_epi64(0, 0, 0, 0, 0x001b001b001b001b, 0x0012001200120012, 0x0009000900090009, 0);
    bool is_whole = blocks >= 4;
    __mmask64 bytes = is_whole ? ~(__mmask64)0 : ((__mmask64)1 << blocks * BLOCK_BYTES) - 1;
    __m512i words = _mm512_maskz_loadu_epi8(bytes, weights);
    *scales = _mm512_mask_permutexvar_epi16(*scales, 0x1111u << g, scales_of, words);
    __m512i codes = _mm512_permutexvar_epi16(codes_of, words);
    __m128i fourth = _mm_maskz_loadu_epi8(is_whole ? 0xffff : 0, weights + 3 * BLOCK_BYTES + 2);
    codes = _mm512_inserti32x4(codes, fourth, 3);
    __m512i sums =
        _mm512_dpbusd_epi32(_mm512_setzero_si512(), _mm512_and_si512(codes, nibble), _mm512_load_si512(a->q[g][0]));
    codes = _mm512_and_si512(_mm512_srli_epi16(codes, 4), nibble);
    return _mm512_dpbusd_epi32(sums, codes, _mm512_load_si512(a->q[g][1]));
}

/** Pairs of neighbouring 32-bit lanes, which fit 16 bits, of a and then of b in each quarter. */
ROWS_INLINE __m512i add_pairs(__m512i a, __m512i b)
{
    return _mm512_madd_epi16(_mm512_packs_epi32(a, b), _mm512_set1_epi16(1));
}

/** The sums of group g of so many blocks, if it has any of them. */
ROWS_INLINE __m512i group_of(const uint8_t *weights, size_t blocks, const struct operand *a, size_t g, __m512i *scales)
{
    if (blocks <= 4 * g)
        return _mm512_setzero_si512();
    return group_sums(weights + g * GROUP_BYTES, blocks - 4 * g, a, (int)g, scales);
}

/** 1 to 16 blocks. */
ROWS_INLINE __m512 add_blocks(__m512 sum, const uint8_t *weights, size_t blocks, const struct operand *a)
{
    __m512i scales = _mm512_setzero_si512();
    __m512i sums0 = group_of(weights, blocks, a, 0, &scales);
    __m512i sums1 = group_of(weights, blocks, a, 1, &scales);
    __m512i first = add_pairs(sums0, sums1);
    __m512i sums2 = group_of(weights, blocks, a, 2, &scales);
    __m512i sums3 = group_of(weights, blocks, a, 3, &scales);
    __m512i pairs = _mm512_packs_epi32(first, add_pairs(sums2, sums3));
    __m512i whole = _mm512_dpwssd_epi32(_mm512_load_si512(a->offset), pairs, _mm512_set1_epi16(1));
    __m512 scale = _mm512_mul_ps(_mm512_cvtph_ps(_mm512_castsi512_si256(scales)), _mm512_load_ps(a->scale));
    return _mm512_fmadd_ps(_mm512_cvtepi32_ps(whole), scale, sum);
}

ROWS_INLINE void rows(const struct gemv_slice *slice, const uint8_t *const *weights, const size_t *row, int count)
{
    const struct operand *operand = slice->prepared;
    const size_t whole = slice->steps / BLOCKS, rest = slice->steps % BLOCKS;
    __m512 sum[ROWS_TOGETHER];
    for (int r = 0; r < count; r++)
        sum[r] = _mm512_setzero_ps();
    for (size_t i = 0; i < whole; i++) {
        for (int r = 0; r < count; r++) {
            const uint8_t *w = weights[r] + i * BLOCKS_BYTES;
            rows_prefetch(w, BLOCKS_BYTES, slice->prefetch_bytes);
            sum[r] = add_blocks(sum[r], w, BLOCKS, &operand[i]);
        }
    }
    for (int r = 0; r < count; r++) {
        if (rest) {
            const uint8_t *w = weights[r] + whole * BLOCKS_BYTES;
            rows_prefetch(w, rest * BLOCK_BYTES, slice->prefetch_bytes);
            sum[r] = add_blocks(sum[r], w, rest, &operand[whole]);
        }
        slice->out_f32[row[r]] = _mm512_reduce_add_ps(sum[r]);
    }
}

ROWS_GEMV

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
        struct q8_32 q8;
        q8_32_make(x + block * BLOCK_COLUMNS, BLOCK_COLUMNS, &q8);
        memcpy(to->q[group][0][quarter], q8.q, 16);
        memcpy(to->q[group][1][quarter], q8.q + 16, 16);
        to->offset[lane] = -8 * q8.sum;
        to->scale[lane] = q8.scale;
    }
}

static double value(const struct operand *operand, size_t column)
{
    size_t block = column / BLOCK_COLUMNS % BLOCKS;
    const struct operand *of = &operand[column / BLOCK_COLUMNS / BLOCKS];
    return (double)of->scale[lane_of(block)] * of->q[block / 4][column % 32 / 16][block % 4][column % 16];
}

static struct kernel_row row_of(const uint8_t *panel, size_t k, uint32_t row, const void *prepared)
{
    struct kernel_row sum = {0};
    for (uint32_t column = 0; column < k; column++) {
        double term = format_weight(&SELF_FORMAT, panel, k, row, column) * value(prepared, column);
        sum.y += term;
        sum.magnitude += fabs(term);
    }
    return sum;
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .gamma = SELF_NAME,
    .prefetch_bytes = 4096,
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = 512,
    .error_bound = Q8_ERROR_BOUND,
    .gemv = gemv,
    .prepared_bytes = prepared_bytes,
    .prepare = prepare,
    .row = row_of,
};
