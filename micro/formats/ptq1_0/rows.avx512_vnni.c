/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of rows of ptq1_0 as they are stored, 512 bits, four side by side, two blocks of each in a register: no digit is taken from its byte
 * (ptq1_0_m16/lanes.c), and the scales of both blocks are moved to the lanes of their sums by one vpermw.
 */
#include <immintrin.h>

#include "micro/families/blocks/blocks_avx512.h"

#define ROWS_BYTES              64
#define ROWS_BLOCKS             2
#define ROWS_PLACE(block, byte) (BLOCK_BYTES * (block) + (byte))
#define ROWS_TIMES              256
#define ROWS_START              -256
#include "micro/formats/ptq1_0/rows_operand.h"

/** One block or two of each row. */
ROWS_INLINE void add_blocks(__m512 *sum, const uint8_t *const *weights, size_t blocks, const struct rows_operand *a,
                            int count)
{
    const __m512i words_13 = _mm512_set1_epi16(13), words_27 = _mm512_set1_epi16(27);
    const __m512i scales_of = _mm512_mask_blend_epi16(0x7f, words_27, words_13);
    const __mmask64 whole = ((__mmask64)1 << BLOCK_BYTES * blocks) - 1;
    __m512i bytes[ROWS_TOGETHER], now[ROWS_TOGETHER], next[ROWS_TOGETHER];
    __m256i halves[ROWS_TOGETHER];
#pragma GCC unroll 4
    for (int r = 0; r < count; r++) {
        bytes[r] = _mm512_maskz_loadu_epi8(whole, weights[r]);
        halves[r] = _mm512_castsi512_si256(_mm512_permutexvar_epi16(scales_of, bytes[r]));
        now[r] = next[r] = _mm512_setzero_si512();
    }
#pragma GCC unroll 5
    for (int n = 0; n < 5; n++) {
        __m512i q = _mm512_load_si512(a->q[n]);
        ROWS_IN_REGISTER(q);
#pragma GCC unroll 4
        for (int r = 0; r < count; r++) {
            now[r] = _mm512_dpbusd_epi32(now[r], bytes[r], q);
            bytes[r] = _mm512_add_epi8(bytes[r], _mm512_add_epi8(bytes[r], bytes[r]));
            next[r] = _mm512_dpbusd_epi32(next[r], bytes[r], q);
            ROWS_IN_REGISTER(bytes[r]);
        }
    }
#pragma GCC unroll 4
    for (int r = 0; r < count; r++) {
        __m512i three = _mm512_add_epi32(now[r], _mm512_add_epi32(now[r], now[r]));
        __m512i sums = _mm512_add_epi32(_mm512_sub_epi32(three, next[r]), _mm512_load_si512(a->start));
        __m512 scale = _mm512_mul_ps(_mm512_cvtph_ps(halves[r]), _mm512_load_ps(a->scale));
        sum[r] = _mm512_fmadd_ps(_mm512_cvtepi32_ps(sums), scale, sum[r]);
    }
}

ROWS_INLINE void rows(const struct gemv_slice *slice, const uint8_t *const *weights, const size_t *row, int count)
{
    const struct rows_operand *a = slice->prepared;
    __m512 sum[ROWS_TOGETHER];
    const uint8_t *at[ROWS_TOGETHER];
#pragma GCC unroll 4
    for (int r = 0; r < count; r++) {
        sum[r] = block_zero();
        at[r] = weights[r];
    }
    for (size_t pair = 0; pair < slice->steps / 2; pair++, a++) {
#pragma GCC unroll 4
        for (int r = 0; r < count; r++)
            rows_prefetch(at[r], 64, slice->prefetch_bytes);
        add_blocks(sum, at, 2, a, count);
#pragma GCC unroll 4
        for (int r = 0; r < count; r++)
            at[r] += 2 * BLOCK_BYTES;
    }
    if (slice->steps % 2)
        add_blocks(sum, at, 1, a, count);
#pragma GCC unroll 4
    for (int r = 0; r < count; r++)
        slice->out_f32[row[r]] = block_lanes_sum(sum[r]);
}

ROWS_GEMV

const struct kernel SELF = PTQ1_0_ROWS_KERNEL;

/* its gamma: micro/frames/gamma.h */
#define STEP_SUM          __m512
#define STEP_ACTIVATIONS  struct rows_operand
#define STEP_ROWS         1
#define STEP_COLUMNS      BLOCK_COLUMNS
#define STEP_BYTES        BLOCK_BYTES
#define STEPS_TOGETHER    ROWS_BLOCKS
#define STEP_ACCUMULATORS ROWS_TOGETHER
#define STEP_OF_ROWS
#define step_zero block_zero

ROWS_INLINE void step_add_rows(__m512 *sum, const uint8_t *const *weights, const struct rows_operand *a, int count)
{
    add_blocks(sum, weights, ROWS_BLOCKS, a, count);
}

ROWS_INLINE void step_finish(float *rows, __m512 sum)
{
    rows[0] = block_lanes_sum(sum);
}

#include "micro/frames/gamma.h"
