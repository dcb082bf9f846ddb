/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of rows as they are stored with sdot, or smull, smlal2 and sadalp, four rows side by side: fields of weight 1, 4 and 16 stay in their place,
 * and sums of each are joined once a block; the upper one, which would be negative there, is shifted down. Each 16 products meet their scale by
 * element, or on SVE, whose registers have the products of two groups, in words of its own.
 */
#include "micro/families/blocks/blocks_neon.h"

#define BLOCK_ACTIVATIONS struct q8_256
#define BLOCK_VALUE       q8_256_value
#define BLOCKS_TOGETHER   1
#define ROW_BY_ROW        0

#ifdef __ARM_FEATURE_SVE
/** Of a pair of groups, n and n + 1, the number of the byte that goes into the lowest of a word; the others are out of range, hence 0. */
#define PLACE(n) (0xffffff00u | (n))
#define PLACES(n)                                                                                                      \
    {                                                                                                                  \
        PLACE(n), PLACE(n), PLACE(n), PLACE(n), PLACE(n + 1), PLACE(n + 1), PLACE(n + 1), PLACE(n + 1)                 \
    }

/** Bytes of groups 2 pair and 2 pair + 1, to the lower and the upper four words. */
ROWS_INLINE tile_ints pair_of_groups(tile_bytes group_bytes, int pair)
{
    static const uint32_t places[8][8] = {PLACES(0), PLACES(2),  PLACES(4),  PLACES(6),
                                          PLACES(8), PLACES(10), PLACES(12), PLACES(14)};
    svuint32_t at = svld1_u32(TILE_ALL, places[pair]);
    return svreinterpret_s32_u8(svtbl_u8(group_bytes, svreinterpret_u8_u32(at)));
}

/** 32 codes of two groups. */
ROWS_INLINE tile_ints add_pair(tile_ints sum, tile_bytes codes, const int8_t *a, tile_bytes scales, int pair)
{
    tile_ints products = svdot_s32(tile_zero(), svreinterpret_s8_u8(codes), svld1_s8(TILE_ALL, a));
    return tile_multiply_add(sum, products, pair_of_groups(scales, pair));
}

/** What minima times the sums of their groups come to. */
ROWS_INLINE tile_ints minima_of(const uint8_t *group_bytes, const int16_t *sums)
{
    svuint32_t low = svlsr_n_u32_x(TILE_ALL, svld1ub_u32(TILE_ALL, group_bytes), 4);
    svuint32_t high = svlsr_n_u32_x(TILE_ALL, svld1ub_u32(TILE_ALL, group_bytes + 8), 4);
    tile_ints sum = svmul_s32_x(TILE_ALL, svreinterpret_s32_u32(low), svld1sh_s32(TILE_ALL, sums));
    return tile_multiply_add(sum, svreinterpret_s32_u32(high), svld1sh_s32(TILE_ALL, sums + 8));
}

ROWS_INLINE block_floats add_block(block_floats sum, const uint8_t *weights, const struct q8_256 *a)
{
    tile_bytes scales = tile_and(svld1rq_u8(TILE_ALL, weights), 15);
    tile_ints ones = tile_zero(), fours = ones, sixteens = ones;
    const int8_t *q = a->q;
    ROWS_READ_AGAIN(q);
#pragma GCC unroll 2
    for (int half = 0; half < 2; half++, q += 128) {
        tile_bytes codes = tile_load(weights + BLOCK_CODES + 32 * half);
        ones = add_pair(ones, tile_and(codes, 3), q, scales, 4 * half);
        fours = add_pair(fours, tile_and(codes, 3 << 2), q + 32, scales, 4 * half + 1);
        sixteens = add_pair(sixteens, tile_and(codes, 3 << 4), q + 64, scales, 4 * half + 2);
        ones = add_pair(ones, TILE_SHIFT_DOWN(codes, 6), q + 96, scales, 4 * half + 3);
    }
    tile_ints whole = svadd_s32_x(TILE_ALL, ones, svasr_n_s32_x(TILE_ALL, fours, 2));
    whole = svadd_s32_x(TILE_ALL, whole, svasr_n_s32_x(TILE_ALL, sixteens, 4));
    sum = TILE_ADD(sum, whole, 0, tile_times(block_scales(weights + BLOCK_D), a->scale));
    svfloat32_t minima = svcvt_f32_s32_x(TILE_ALL, minima_of(weights, a->sums));
    return svmls_f32_x(TILE_ALL, sum, minima, tile_times(block_scales(weights + BLOCK_DMIN), a->scale));
}
#else
/** Numbers of four bits as words, 16 groups of them. */
struct words {
    int32x4_t of[4];
};

ROWS_INLINE struct words widen(uint8x16_t bytes)
{
    uint16x8_t low = vmovl_u8(vget_low_u8(bytes)), high = vmovl_high_u8(bytes);
    return (struct words){
        {vreinterpretq_s32_u32(vmovl_u16(vget_low_u16(low))), vreinterpretq_s32_u32(vmovl_high_u16(low)),
         vreinterpretq_s32_u32(vmovl_u16(vget_low_u16(high))), vreinterpretq_s32_u32(vmovl_high_u16(high))}};
}

/** 16 codes of a group, `first` or `second` of four scales. */
#define ADD(sum, codes, a, scales, number)                                                                             \
    vmlaq_laneq_s32(sum, tile_dot(vdupq_n_s32(0), vreinterpretq_s8_u8(codes), vld1q_s8(a)), scales, number)

/** What minima times the sums of their groups come to. */
ROWS_INLINE int32x4_t minima_of(uint8x16_t group_bytes, const int16_t *sums)
{
    uint8x16_t minima = vshrq_n_u8(group_bytes, 4);
    int16x8_t low = vreinterpretq_s16_u16(vmovl_u8(vget_low_u8(minima)));
    int16x8_t high = vreinterpretq_s16_u16(vmovl_high_u8(minima));
    int32x4_t sum = vmull_s16(vget_low_s16(low), vld1_s16(sums));
    sum = vmlal_high_s16(sum, low, vld1q_s16(sums));
    sum = vmlal_s16(sum, vget_low_s16(high), vld1_s16(sums + 8));
    return vmlal_high_s16(sum, high, vld1q_s16(sums + 8));
}

ROWS_INLINE block_floats add_block(block_floats sum, const uint8_t *weights, const struct q8_256 *a)
{
    const uint8x16_t mask = vdupq_n_u8(3);
    uint8x16_t group_bytes = vld1q_u8(weights);
    struct words scales = widen(vandq_u8(group_bytes, vdupq_n_u8(15)));
    int32x4_t ones = vdupq_n_s32(0), fours = ones, sixteens = ones;
    const int8_t *q = a->q;
    ROWS_READ_AGAIN(q);
#pragma GCC unroll 2
    for (int half = 0; half < 2; half++, q += 128) {
        uint8x16_t first = vld1q_u8(weights + BLOCK_CODES + 32 * half),
                   second = vld1q_u8(weights + BLOCK_CODES + 32 * half + 16);
        int32x4_t low = scales.of[2 * half], high = scales.of[2 * half + 1];
        ones = ADD(ones, vandq_u8(first, mask), q, low, 0);
        ones = ADD(ones, vandq_u8(second, mask), q + 16, low, 1);
        fours = ADD(fours, vandq_u8(first, vshlq_n_u8(mask, 2)), q + 32, low, 2);
        fours = ADD(fours, vandq_u8(second, vshlq_n_u8(mask, 2)), q + 48, low, 3);
        sixteens = ADD(sixteens, vandq_u8(first, vshlq_n_u8(mask, 4)), q + 64, high, 0);
        sixteens = ADD(sixteens, vandq_u8(second, vshlq_n_u8(mask, 4)), q + 80, high, 1);
        ones = ADD(ones, vshrq_n_u8(first, 6), q + 96, high, 2);
        ones = ADD(ones, vshrq_n_u8(second, 6), q + 112, high, 3);
    }
    int32x4_t whole = vsraq_n_s32(vsraq_n_s32(ones, fours, 2), sixteens, 4);
    sum = vfmaq_n_f32(sum, vcvtq_f32_s32(whole), block_scale(weights + BLOCK_D) * a->scale);
    return vfmsq_n_f32(sum, vcvtq_f32_s32(minima_of(group_bytes, a->sums)),
                       block_scale(weights + BLOCK_DMIN) * a->scale);
}
#endif

#include "micro/families/blocks/block_rows.h"
#include "micro/formats/q2_k/row.h"

static void prepare(const void *activations, size_t k, void *prepared)
{
    q8_256_make(activations, k, prepared);
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = KERNEL_ORIGIN,
    .prefetch_bytes = 1024, /* predicted: no core of aarch64 has been timed */
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = 128,
    .error_bound = Q8_ERROR_BOUND,
    .gemv = gemv,
    .prepared_bytes_per_step = sizeof(BLOCK_ACTIVATIONS),
    .prepare = prepare,
    .row = minima_row,
};

#include "micro/frames/gamma.h"
