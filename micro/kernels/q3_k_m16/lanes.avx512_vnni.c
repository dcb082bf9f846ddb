/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The sequence q3_k_m16.lanes.avx512_vnni of whole blocks, two panels side by side: lanes are rows, so that what is a lane's own (a scale, d, the
 * offset of its codes) is one operation for 16 rows. The sum of 16 columns fits 16 bits even where it is four times too large (16 * 127 *
 * 16), and vpdpwssd multiplies it by 256 times its scale, a byte that vpshufb moves; eight such fit 32 bits (32512 * 8192 * 8).
 */
#define ROWS_TOGETHER 2
#include <immintrin.h>
#include <math.h>
#include <string.h>

#include "micro/kernels/prefetch_run.h"
#include "micro/kernels/q3_k_m16/layout.h"
#include "micro/kernels/q8_avx2.h"
#include "micro/kernels/rows.h"
#include "micro/sequences/q3_k_lanes_operand.h"

extern const struct format SELF_FORMAT;

enum { LINES = (BLOCK_BYTES + 63) / 64, PARTS = 4 };

/** micro/sequences/q3_k_lanes_operand.h */
struct q3_k_operand {
    int8_t q[256];
    int32_t start[16];
    float step, scale, unused[14];
} __attribute__((aligned(64)));

_Static_assert(sizeof(struct q3_k_operand) == Q3_K_LANES_BYTES &&
                   offsetof(struct q3_k_operand, start) == Q3_K_LANES_START &&
                   offsetof(struct q3_k_operand, step) == Q3_K_LANES_STEP,
               "as the sequence has it");

ROWS_INLINE __m512i four_columns(const int8_t *a)
{
    int32_t four;
    memcpy(&four, a, sizeof four);
    return _mm512_set1_epi32(four);
}

/** Scales of groups 4 m … in the lanes of scales[m]. */
ROWS_INLINE void unpack_scales(const uint8_t *weights, __m512i *scales)
{
    const __m512i nibble = _mm512_set1_epi8(15), upper = _mm512_set1_epi8(0x30), offset = _mm512_set1_epi8(32);
    __m512i low[2] = {_mm512_loadu_si512(weights + SCALES), _mm512_loadu_si512(weights + SCALES + 64)};
    __m512i high = _mm512_loadu_si512(weights + SCALES + 128);
    const __m512i shifted[4] = {_mm512_slli_epi16(high, 4), _mm512_slli_epi16(high, 2), high,
                                _mm512_srli_epi16(high, 2)};
#pragma GCC unroll 4
    for (int m = 0; m < 4; m++) {
        __m512i bits = _mm512_and_si512(m < 2 ? low[m % 2] : _mm512_srli_epi16(low[m % 2], 4), nibble);
        scales[m] = _mm512_sub_epi8(_mm512_ternarylogic_epi32(bits, shifted[m], upper, 0xf8), offset);
    }
}

/** Adds four columns of a field, of lower bits at bits 1:0, or 3:2 of odd fields, and upper ones at bit `number`. */
ROWS_INLINE __m512i add_four(__m512i sum, __m512i low, __m512i high, int number, __m512i a)
{
    int at = number % 2 ? 4 : 2, shift = at - number;
    if (shift > 0)
        high = _mm512_slli_epi16(high, shift);
    else if (shift < 0)
        high = _mm512_srli_epi16(high, -shift);
    __m512i codes = _mm512_and_si512(low, _mm512_set1_epi8(number % 2 ? 0x0c : 0x03));
    codes = _mm512_ternarylogic_epi32(codes, high, _mm512_set1_epi8((char)(1 << at)), 0xf8); /* codes | high & bit */
    return _mm512_dpbusd_epi32(sum, codes, a);
}

/** The sum of a group times 256 times its scale. */
ROWS_INLINE __m512i scaled(__m512i total, __m512i sum, const __m512i *scales, int group)
{
    const __m512i lanes = _mm512_broadcast_i32x4(_mm_setr_epi32(0, 0x0400, 0x0800, 0x0c00));
    __m512i byte = _mm512_add_epi8(lanes, _mm512_set1_epi32((int32_t)0x80800080u | group % 4 << 8));
    return _mm512_dpwssd_epi32(total, sum, _mm512_shuffle_epi8(scales[group / 4], byte));
}

/** Groups 8 half + 2 j + odd. */
ROWS_INLINE void add_quarter(__m512i *total, const uint8_t *weights, const __m512i *scales, int half, int odd,
                             const struct q3_k_operand *a)
{
    __m512i sum[4];
#pragma GCC unroll 4
    for (int j = 0; j < 4; j++)
        sum[j] = _mm512_set1_epi32(a->start[8 * half + 2 * j + odd]);
#pragma GCC unroll 4
    for (int line = 4 * odd; line < 4 * odd + 4; line++) {
        const int8_t *q = a->q + 128 * half + 4 * line;
        __m512i low = _mm512_loadu_si512(weights + CODES + 64 * (8 * half + line));
        __m512i high = _mm512_loadu_si512(weights + HIGH + 64 * line);
        ROWS_IN_REGISTER(low);
        ROWS_IN_REGISTER(high);
        sum[0] = add_four(sum[0], low, high, 4 * half, four_columns(q));
        sum[1] = add_four(sum[1], low, high, 4 * half + 1, four_columns(q + 32));
        low = _mm512_srli_epi16(low, 4);
        sum[2] = add_four(sum[2], low, high, 4 * half + 2, four_columns(q + 64));
        sum[3] = add_four(sum[3], low, high, 4 * half + 3, four_columns(q + 96));
    }
#pragma GCC unroll 4
    for (int j = 0; j < 4; j++)
        total[j % 2] = scaled(total[j % 2], sum[j], scales, 8 * half + 2 * j + odd);
}

/** A block of a panel, and with each quarter of it a quarter of the lines that are fetched ahead. */
ROWS_INLINE __m512 add_block(__m512 sum, const uint8_t *weights, const struct q3_k_operand *a, size_t distance)
{
    __m512i total[2] = {_mm512_setzero_si512(), _mm512_setzero_si512()}, scales[4];
    ROWS_READ_AGAIN(a);
    unpack_scales(weights, scales);
#pragma GCC unroll 4
    for (int part = 0; part < PARTS; part++) {
        prefetch_run(weights + part * (64 * LINES / PARTS), 64 * LINES / PARTS, distance);
        add_quarter(total, weights, scales, part / 2, part % 2, a);
    }
    __m512 whole = _mm512_fmadd_ps(_mm512_cvtepi32_ps(total[0]), _mm512_set1_ps(4), _mm512_cvtepi32_ps(total[1]));
    __m512 d = _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(const void *)weights));
    return _mm512_fmadd_ps(whole, _mm512_mul_ps(d, _mm512_set1_ps(a->step)), sum);
}

ROWS_INLINE void rows(const struct gemv_slice *slice, const uint8_t *const *weights, const size_t *panel, int count)
{
    const struct q3_k_operand *a = slice->prepared;
    __m512 sum[ROWS_TOGETHER];
#pragma GCC unroll 4
    for (int p = 0; p < count; p++)
        sum[p] = _mm512_setzero_ps();
    for (size_t block = 0; block < slice->steps; block++) {
#pragma GCC unroll 4
        for (int p = 0; p < count; p++)
            sum[p] = add_block(sum[p], weights[p] + block * BLOCK_BYTES, &a[block], slice->prefetch_bytes);
    }
#pragma GCC unroll 4
    for (int p = 0; p < count; p++)
        _mm512_storeu_ps(slice->out_f32 + panel[p] * BLOCK_ROWS, sum[p]);
}

ROWS_GEMV

static void prepare(const void *activations, size_t k, void *prepared)
{
    struct q3_k_operand *to = prepared;
    for (size_t i = 0; i < k / 256; i++, to++) {
        struct q8_256 q8;
        q8_256_make((const float *)activations + 256 * i, 256, &q8);
        memset(to, 0, sizeof *to);
        memcpy(to->q, q8.q, sizeof to->q);
        for (size_t group = 0; group < 16; group++)
            to->start[group] = (group / 2 % 2 ? -16 : -4) * q8.sums[group];
        to->scale = q8.scale;
        to->step = q8.scale / Q3_K_LANES_PARTS;
    }
}

static struct kernel_row row_of(const uint8_t *panel, size_t k, uint32_t row, const void *prepared)
{
    const struct q3_k_operand *blocks = prepared;
    struct kernel_row sum = {0};
    for (uint32_t column = 0; column < k; column++) {
        const struct q3_k_operand *a = &blocks[column / 256];
        double term = format_weight(&SELF_FORMAT, panel, k, row, column) * (double)a->scale * a->q[column % 256];
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
    .prefetch_bytes = 3072,
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = 64,
    .error_bound = Q8_ERROR_BOUND,
    .gemv = gemv,
    .prepared_bytes_per_step = sizeof(struct q3_k_operand),
    .prepare = prepare,
    .row = row_of,
};
