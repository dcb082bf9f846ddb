/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of rows of ptq1_0 as they are stored, 256 bits, four side by side: the first 16 bytes of a block of 28 and its last 16 are a register, and what is
 * in it twice or is the scale meets zeros. With vpdpbusd no digit is taken from its byte (ptq1_0_m16/lanes.c), and five additions and products of a digit
 * are those of four rows, so that activations are loaded once. With SUMS_OF_WORDS (AVX2) digits are taken apart (digits_256.h).
 */
#include "micro/families/blocks/blocks_avx2.h"

#define ROWS_BYTES              32
#define ROWS_BLOCKS             1
#define ROWS_PLACE(block, byte) ((block) + (byte) + ((byte) < 16 ? 0 : 4))
#ifdef SUMS_OF_WORDS
#define ROWS_TIMES 1
#define ROWS_START -1
#include "micro/formats/ptq1_0/digits_256.h"
#else
#define ROWS_TIMES 256
#define ROWS_START -256
#endif
#include "micro/formats/ptq1_0/rows_operand.h"

ROWS_INLINE __m256i block_bytes(const uint8_t *weights)
{
    return _mm256_set_m128i(block_load_half(weights + 12), block_load_half(weights));
}

#ifdef SUMS_OF_WORDS
ROWS_INLINE void blocks_whole(__m256i *sum, const uint8_t *const *weights, const struct rows_operand *a, int count)
{
#pragma GCC unroll 4
    for (int r = 0; r < count; r++) {
        __m256i words = _mm256_setzero_si256(), digit[5];
        digits_of(block_bytes(weights[r]), 5, digit);
#pragma GCC unroll 5
        for (int n = 0; n < 5; n++)
            words = _mm256_add_epi16(words, _mm256_maddubs_epi16(digit[n], block_load(a->q[n])));
        sum[r] = _mm256_add_epi32(block_widen(words), block_load(a->start));
    }
}
#else
/** Sums times ROWS_TIMES of a block of each row. */
ROWS_INLINE void blocks_whole(__m256i *sum, const uint8_t *const *weights, const struct rows_operand *a, int count)
{
    __m256i bytes[ROWS_TOGETHER], now[ROWS_TOGETHER], next[ROWS_TOGETHER];
#pragma GCC unroll 4
    for (int r = 0; r < count; r++) {
        bytes[r] = block_bytes(weights[r]);
        now[r] = next[r] = _mm256_setzero_si256();
    }
#pragma GCC unroll 5
    for (int n = 0; n < 5; n++) {
        __m256i q = block_load(a->q[n]);
        ROWS_IN_REGISTER(q);
#pragma GCC unroll 4
        for (int r = 0; r < count; r++) {
            now[r] = _mm256_dpbusd_avx_epi32(now[r], bytes[r], q);
            bytes[r] = _mm256_add_epi8(bytes[r], _mm256_add_epi8(bytes[r], bytes[r]));
            next[r] = _mm256_dpbusd_avx_epi32(next[r], bytes[r], q);
            ROWS_IN_REGISTER(bytes[r]);
        }
    }
#pragma GCC unroll 4
    for (int r = 0; r < count; r++) {
        __m256i whole = _mm256_add_epi32(now[r], _mm256_add_epi32(now[r], now[r]));
        sum[r] = _mm256_add_epi32(_mm256_sub_epi32(whole, next[r]), block_load(a->start));
    }
}
#endif

/** A block of each row. */
ROWS_INLINE void add_blocks(__m256 *sum, const uint8_t *const *weights, const struct rows_operand *a, int count)
{
    __m256i whole[ROWS_TOGETHER];
    blocks_whole(whole, weights, a, count);
#pragma GCC unroll 4
    for (int r = 0; r < count; r++) {
        __m256 scale = _mm256_mul_ps(block_scale(weights[r] + 26), _mm256_load_ps(a->scale));
        sum[r] = _mm256_fmadd_ps(_mm256_cvtepi32_ps(whole[r]), scale, sum[r]);
    }
}

ROWS_INLINE void rows(const struct gemv_slice *slice, const uint8_t *const *weights, const size_t *row, int count)
{
    const struct rows_operand *a = slice->prepared;
    __m256 sum[ROWS_TOGETHER];
#pragma GCC unroll 4
    for (int r = 0; r < count; r++)
        sum[r] = block_zero();
    for (size_t block = 0; block < slice->steps; block++, a++) {
        const uint8_t *at[ROWS_TOGETHER];
#pragma GCC unroll 4
        for (int r = 0; r < count; r++) {
            at[r] = weights[r] + block * BLOCK_BYTES;
            if (block % 2 == 0)
                rows_prefetch(at[r], 64, slice->prefetch_bytes);
        }
        add_blocks(sum, at, a, count);
    }
#pragma GCC unroll 4
    for (int r = 0; r < count; r++)
        slice->out_f32[row[r]] = block_lanes_sum(sum[r]);
}

ROWS_GEMV

const struct kernel SELF = PTQ1_0_ROWS_KERNEL;

/* its gamma: a block of each of the rows, which activations are loaded once for; registers that hold them it needs itself */
struct blocks_sums {
    __m256 of[ROWS_TOGETHER];
};

#define STEP_SUM          struct blocks_sums
#define STEP_ACTIVATIONS  struct rows_operand
#define STEP_ROWS         BLOCK_ROWS
#define STEP_COLUMNS      BLOCK_COLUMNS
#define STEP_BYTES        BLOCK_BYTES
#define PANELS_TOGETHER   ROWS_TOGETHER
#define STEP_ACCUMULATORS 1

ROWS_INLINE struct blocks_sums step_zero(void)
{
    return (struct blocks_sums){{block_zero(), block_zero(), block_zero(), block_zero()}};
}

ROWS_INLINE struct blocks_sums add_block(struct blocks_sums sum, const uint8_t *weights, const struct rows_operand *a)
{
    const uint8_t *at[ROWS_TOGETHER];
#pragma GCC unroll 4
    for (int r = 0; r < ROWS_TOGETHER; r++)
        at[r] = weights + r * BLOCK_BYTES;
    add_blocks(sum.of, at, a, ROWS_TOGETHER);
    return sum;
}

ROWS_INLINE void step_finish(float *rows, struct blocks_sums sum)
{
#pragma GCC unroll 4
    for (int r = 0; r < ROWS_TOGETHER; r++)
        rows[r] = block_lanes_sum(sum.of[r]);
}

#include "micro/frames/gamma.h"
