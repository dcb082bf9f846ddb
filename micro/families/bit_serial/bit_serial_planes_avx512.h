/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Kernels of w<p>_planes with VPOPCNTDQ, the paper's layout as it lies: a register is a bit of 512 columns of one row, so that counts are
 * added across lanes at the end of a row. The including .c defines WEIGHT_BITS and ACTIVATION_BITS. Of one token the operand is
 *
 *     struct bits_token, a line      planes [K / 512] [bit] [8] uint64_t      masks [K / 512] [8] uint64_t
 *
 * and of several one after the other. bit_serial_operand.h says what columns count, and what comes of them.
 */
#ifndef MICRO_FAMILIES_BIT_SERIAL_BIT_SERIAL_PLANES_AVX512_H
#define MICRO_FAMILIES_BIT_SERIAL_BIT_SERIAL_PLANES_AVX512_H

#define KERNEL_ORIGIN "apt-llm"

#include "micro/families/bit_serial/bit_serial_quantize_avx512.h"

#include "micro/families/bit_serial/bit_serial_operand.h"
#include "micro/families/bit_serial/bit_serial_planes_layout.h"
#include "micro/families/bit_serial/bit_serial_rows_avx512.h"

enum { BITS_LEVELS = WEIGHT_BITS + ACTIVATION_BITS - 1, WORDS = 8, ROWS_MOST = 4 };

extern const struct format SELF_FORMAT;

static size_t prepared_bytes(size_t k)
{
    return BITS_HEADER_BYTES + k / STEP_COLUMNS * (ACTIVATION_BITS + 1) * BITS_PLANE_BYTES;
}

BITS_INLINE const uint64_t *masks_of(const void *operand, size_t k)
{
    return bits_planes(operand) + k / STEP_COLUMNS * ACTIVATION_BITS * WORDS;
}

static void prepare(const void *activations, size_t k, void *operand)
{
    const float *x = activations;
    uint64_t *planes = (uint64_t *)(uintptr_t)bits_planes(operand),
             *masks = (uint64_t *)(uintptr_t)masks_of(operand, k);
    const struct bits_token token = bits_measure(x, k, ACTIVATION_BITS);
    memset(operand, 0, prepared_bytes(k));
    memcpy(operand, &token, sizeof token);
    for (size_t word = 0; word < k / BITS_STEP_COLUMNS; word++) {
        uint64_t bits[ACTIVATION_BITS] = {0};
        if (token.scale > 0)
            BITS_QUANTIZE(x + word * BITS_STEP_COLUMNS, token.scale, ACTIVATION_BITS, bits);
        for (size_t bit = 0; bit < ACTIVATION_BITS; bit++)
            planes[(word / WORDS * ACTIVATION_BITS + bit) * WORDS + word % WORDS] = bits[bit];
        masks[word] = bits_mask(token, word);
    }
}

static void prepare_many(const void *activations, size_t stride, size_t k, size_t tokens, void *operand)
{
    (void)stride, (void)tokens;
    prepare(activations, k, operand);
}

static struct kernel_row row_of(const uint8_t *panel, size_t k, uint32_t row, const void *operand)
{
    const struct bits_token token = *bits_tokens(operand);
    const uint64_t *planes = bits_planes(operand);
    int64_t sum = 0, magnitude = 0;
    for (uint32_t column = 0; column < token.columns; column++) {
        uint32_t u = 0, word = column / BITS_STEP_COLUMNS;
        for (uint32_t bit = 0; bit < ACTIVATION_BITS; bit++)
            u |= (uint32_t)(planes[(word / WORDS * ACTIVATION_BITS + bit) * WORDS + word % WORDS] >> column % 64 & 1)
                 << bit;
        int64_t term =
            (int64_t)format_weight(&SELF_FORMAT, panel, k, row, column) * bipolar_from_bits(u, ACTIVATION_BITS);
        sum += term;
        magnitude += term < 0 ? -term : term;
    }
    return (struct kernel_row){(double)token.scale * (double)sum, (double)token.scale * (double)magnitude};
}

/** A step of some rows, a register of sums for each row and level. */
BITS_INLINE void add_step(__m512i *sum, const uint8_t *weights, size_t panel_bytes, const uint64_t *planes, int rows,
                          bool masked, __m512i mask)
{
#pragma GCC unroll 8
    for (int j = 0; j < ACTIVATION_BITS; j++) {
        __m512i x = _mm512_loadu_si512(planes + j * WORDS);
#pragma GCC unroll 4
        for (int r = 0; r < rows; r++) {
#pragma GCC unroll 8
            for (int i = 0; i < WEIGHT_BITS; i++) {
                const uint8_t *at = weights + (size_t)r * panel_bytes + (size_t)i * BITS_PLANE_BYTES;
                __m512i differing = _mm512_xor_si512(x, _mm512_loadu_si512(at)), *to = &sum[r * BITS_LEVELS + i + j];
                if (masked)
                    differing = _mm512_and_si512(differing, mask);
                *to = _mm512_add_epi64(*to, _mm512_popcnt_epi64(differing));
            }
        }
    }
}

/** Some rows, one after the other, and one token: out[rows]. */
BITS_INLINE void multiply(const uint8_t *weights, size_t panel_bytes, size_t k, const void *operand, size_t prefetch,
                          float *out, int rows)
{
    const struct bits_token token = *bits_tokens(operand);
    const uint64_t *planes = bits_planes(operand), *masks = masks_of(operand, k);
    const size_t steps = k / STEP_COLUMNS, whole = token.columns / STEP_COLUMNS;
    __m512i sum[ROWS_MOST * BITS_LEVELS];
#pragma GCC unroll 32
    for (int n = 0; n < rows * BITS_LEVELS; n++)
        sum[n] = _mm512_setzero_si512();
    size_t step = 0;
    for (; step < whole; step++, weights += STEP_BYTES, planes += ACTIVATION_BITS * WORDS) {
#pragma GCC unroll 4
        for (int r = 0; prefetch && r < rows; r++) {
            for (size_t line = 0; line < STEP_BYTES; line += 64)
                __builtin_prefetch((const void *)((uintptr_t)weights + (size_t)r * panel_bytes + prefetch + line), 0,
                                   3);
        }
        add_step(sum, weights, panel_bytes, planes, rows, false, sum[0]);
    }
    for (; step < steps; step++, weights += STEP_BYTES, planes += ACTIVATION_BITS * WORDS)
        add_step(sum, weights, panel_bytes, planes, rows, true, _mm512_loadu_si512(masks + step * WORDS));
#pragma GCC unroll 4
    for (int r = 0; r < rows; r++) {
        __m512i all = bits_sum_powers(sum + r * BITS_LEVELS, BITS_LEVELS);
        out[r] = bits_result(token, WEIGHT_BITS, ACTIVATION_BITS, (int32_t)_mm512_reduce_add_epi64(all));
    }
}

/* As many rows as registers have room for their levels. */
enum { ROWS_AT_ONCE = BITS_LEVELS <= 5 ? 4 : 2 };

static void gemv(const struct gemv_slice *slice)
{
    size_t row = 0;
    for (; row + ROWS_AT_ONCE <= slice->panels; row += ROWS_AT_ONCE)
        multiply(slice->weights + row * slice->panel_bytes, slice->panel_bytes, slice->k, slice->prepared,
                 slice->prefetch_bytes, slice->out_f32 + row, ROWS_AT_ONCE);
    for (; row < slice->panels; row++)
        multiply(slice->weights + row * slice->panel_bytes, slice->panel_bytes, slice->k, slice->prepared, 0,
                 slice->out_f32 + row, 1);
}

/** Rows stay in the first-level cache while all tokens meet them. */
static void run(const struct gemm_slice *slice)
{
    const uint8_t *operands = slice->prepared;
    const size_t bytes = prepared_bytes(slice->k);
    for (size_t row = 0, rows; row < slice->panels; row += rows) {
        const uint8_t *weights = slice->weights + row * slice->panel_bytes;
        rows = slice->panels - row >= ROWS_AT_ONCE ? ROWS_AT_ONCE : 1;
        for (size_t token = 0; token < slice->tokens; token++) {
            float *out = slice->out + token * slice->out_stride + row;
            if (rows == 1)
                multiply(weights, slice->panel_bytes, slice->k, operands + token * bytes, 0, out, 1);
            else
                multiply(weights, slice->panel_bytes, slice->k, operands + token * bytes, 0, out, ROWS_AT_ONCE);
        }
    }
}

/* ---- its gamma: as many rows as go side by side, one after the other, weights in L1 ---- */

#define STEPS_TOGETHER  1
#define PANELS_TOGETHER ROWS_AT_ONCE
#include "micro/families/bit_serial/bit_serial_gamma.h"

#define STEP_SUM struct bits_step_sums

struct bits_step_sums {
    __m512i of[ROWS_AT_ONCE * BITS_LEVELS];
    uint32_t columns;
};

BITS_INLINE struct bits_step_sums step_zero(void)
{
    struct bits_step_sums sums = {.columns = 0};
#pragma GCC unroll 32
    for (int n = 0; n < ROWS_AT_ONCE * BITS_LEVELS; n++)
        sums.of[n] = _mm512_setzero_si512();
    return sums;
}

BITS_INLINE struct bits_step_sums add_block(struct bits_step_sums sums, const uint8_t *weights,
                                            const struct bits_step_operand *operand)
{
    BITS_STEP_AFTER(operand, sums.of, ROWS_AT_ONCE * BITS_LEVELS);
    add_step(sums.of, weights, STEP_BYTES, bits_planes(operand), ROWS_AT_ONCE, false, sums.of[0]);
    sums.columns += STEP_COLUMNS;
    return sums;
}

BITS_INLINE void step_finish(int32_t *rows, struct bits_step_sums sums)
{
#pragma GCC unroll 4
    for (int r = 0; r < ROWS_AT_ONCE; r++) {
        __m512i all = bits_sum_powers(sums.of + r * BITS_LEVELS, BITS_LEVELS);
        rows[r] = bits_sum((struct bits_token){.columns = sums.columns}, WEIGHT_BITS, ACTIVATION_BITS,
                           (int32_t)_mm512_reduce_add_epi64(all));
    }
}

#define PLANES_KERNEL                                                                                                  \
    .name = SELF_NAME, .sequence = SELF_SEQUENCE, .isa = SELF_ISA, .format = &SELF_FORMAT, .origin = KERNEL_ORIGIN,    \
    .differs = "for CPUs and with our prefetch, where its original is for GPUs", .takes = KERNEL_TAKES_F32,            \
    .gives = KERNEL_GIVES_F32, .float_sums = KERNEL_FLOAT_SUMS_ALL, .error_bound = BITS_ERROR(ACTIVATION_BITS),        \
    .prepared_bytes = prepared_bytes, .prepare = prepare, .row = row_of, .gemv = gemv,                                 \
    .gemm = {.run = run, .prepare_many = prepare_many, .tokens_per_group = 1, .prepared_bytes = prepared_bytes}

#endif
