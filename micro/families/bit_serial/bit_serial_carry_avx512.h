/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bit-serial kernels with VPOPCNTDQ after carry-save adders. Weights and activations are coded in chains (BITS_CODED), so that their
 * exclusive or is the parity of all differences so far; of three in a row, a, b and c, the carry of a full adder is b ? ~c : a, one
 * vpternlogq. Two steps are 2 exclusive ors, 1 carry, 1 count, 1 add: 5 operations where counted one by one they take 6, and half as
 * many counts, which some cores have on one port only. What is left at the end of a chain is its parity.
 */
#ifndef MICRO_FAMILIES_BIT_SERIAL_BIT_SERIAL_CARRY_AVX512_H
#define MICRO_FAMILIES_BIT_SERIAL_BIT_SERIAL_CARRY_AVX512_H

#include "micro/families/bit_serial/bit_serial_quantize_avx512.h"

#define BITS_CODED 1
#include "micro/families/bit_serial/bit_serial_gemm.h"
#include "micro/families/bit_serial/bit_serial_rows_avx512.h"

enum { BITS_CHAIN_COLUMNS = BITS_CHAIN_STEPS * STEP_COLUMNS, CHOOSE = 0x3a };

/** The second chooses between not the third and the first. */
BITS_INLINE __m512i bits_carry(__m512i a, __m512i b, __m512i c)
{
    return _mm512_ternarylogic_epi64(b, c, a, CHOOSE);
}

/** Coded weights: [bit] [BITS_CHAIN_STEPS] registers. */
static void bits_code(const uint8_t *weights, size_t steps, void *coded)
{
    for (size_t bit = 0; bit < WEIGHT_BITS; bit++) {
        const uint8_t *from = weights + bit * BITS_PLANE_BYTES;
        uint8_t *to = (uint8_t *)coded + bit * BITS_CHAIN_STEPS * 64;
        __m512i word = _mm512_setzero_si512();
        for (size_t step = 0; step < steps; step++, from += STEP_BYTES) {
            word = _mm512_xor_si512(word, _mm512_loadu_si512(from));
            _mm512_store_si512(to + step * 64, word);
        }
    }
}

enum { OUTPUTS_MOST = 8 };

/** Of each output, [panels][tokens]: sums, and of the pair of planes that is being added the parity so far and how many carries. */
struct bits_carried {
    __m512i sum[OUTPUTS_MOST], parity[OUTPUTS_MOST], carries[OUTPUTS_MOST];
};

BITS_INLINE __m512i bits_word(const struct bits_cut *cut, int panel, int i, size_t step)
{
    return _mm512_load_si512(cut->weights + (size_t)panel * BITS_CODED_BYTES +
                             ((size_t)i * BITS_CHAIN_STEPS + step) * 64);
}

BITS_INLINE __m512i bits_word_of(const struct bits_cut *cut, int token, int j, size_t step)
{
    return bits_broadcast(cut->planes + (step * BITS_GROUP + (size_t)token) * ACTIVATION_BITS + j);
}

/** Steps that have masks; they are few. */
BITS_INLINE void bits_add_masked(const struct bits_cut *cut, struct bits_carried *of, int i, int j, int panels,
                                 int tokens)
{
    for (size_t step = cut->whole; step < cut->steps; step++) {
#pragma GCC unroll 8
        for (int n = 0; n < panels * tokens; n++) {
            int r = n / tokens, t = n % tokens;
            __m512i differing = _mm512_xor_si512(bits_word(cut, r, i, step), bits_word_of(cut, t, j, step));
            if (step) {
                differing = _mm512_xor_si512(differing, bits_word(cut, r, i, step - 1));
                differing = _mm512_xor_si512(differing, bits_word_of(cut, t, j, step - 1));
            }
            differing = _mm512_and_si512(differing, bits_broadcast(cut->masks + step * BITS_GROUP + t));
            of->sum[n] = _mm512_add_epi64(of->sum[n], _mm512_popcnt_epi64(differing));
        }
    }
}

/** What is left of a pair of planes: the last of an odd number of steps, carries, and the parity. */
BITS_INLINE void bits_end_pair(const struct bits_cut *cut, struct bits_carried *of, int i, int j, int panels,
                               int tokens)
{
#pragma GCC unroll 8
    for (int n = 0; n < panels * tokens; n++) {
        if (cut->whole % 2) {
            __m512i parity = _mm512_xor_si512(bits_word(cut, n / tokens, i, cut->whole - 1),
                                              bits_word_of(cut, n % tokens, j, cut->whole - 1));
            __m512i carry = _mm512_andnot_si512(parity, of->parity[n]);
            of->carries[n] = _mm512_add_epi64(of->carries[n], _mm512_popcnt_epi64(carry));
            of->parity[n] = parity;
        }
        of->carries[n] = _mm512_add_epi64(of->carries[n], of->carries[n]);
        of->sum[n] = _mm512_add_epi64(of->sum[n], _mm512_popcnt_epi64(of->parity[n]));
        of->sum[n] = _mm512_add_epi64(of->sum[n], of->carries[n]);
    }
}

/** One pair of planes, whole steps by twos. */
BITS_INLINE void bits_add_pair(const struct bits_cut *cut, struct bits_carried *of, int i, int j, int panels,
                               int tokens)
{
#pragma GCC unroll 8
    for (int n = 0; n < panels * tokens; n++)
        of->parity[n] = of->carries[n] = _mm512_setzero_si512();
    for (size_t step = 0; step + 2 <= cut->whole; step += 2) {
        __m512i first[2], second[2];
#pragma GCC unroll 2
        for (int r = 0; r < panels; r++) {
            first[r] = bits_word(cut, r, i, step);
            second[r] = bits_word(cut, r, i, step + 1);
        }
#pragma GCC unroll 8
        for (int t = 0; t < tokens; t++) {
            __m512i x = bits_word_of(cut, t, j, step), y = bits_word_of(cut, t, j, step + 1);
#pragma GCC unroll 2
            for (int r = 0; r < panels; r++) {
                int n = r * tokens + t;
                __m512i b = _mm512_xor_si512(first[r], x), c = _mm512_xor_si512(second[r], y);
                b = _mm512_popcnt_epi64(bits_carry(of->parity[n], b, c));
                of->carries[n] = _mm512_add_epi64(of->carries[n], b);
                of->parity[n] = c;
            }
        }
    }
    bits_end_pair(cut, of, i, j, panels, tokens);
    if (cut->whole < cut->steps)
        bits_add_masked(cut, of, i, j, panels, tokens);
}

BITS_INLINE void bits_tile_of(const struct bits_cut *cut, int panels, int tokens)
{
    struct bits_carried of;
#pragma GCC unroll 8
    for (int n = 0; n < panels * tokens; n++)
        of.sum[n] = _mm512_setzero_si512();
    for (int level = BITS_LEVELS - 1; level >= 0; level--) {
#pragma GCC unroll 8
        for (int n = 0; n < panels * tokens; n++)
            of.sum[n] = _mm512_add_epi64(of.sum[n], of.sum[n]);
        for (int i = 0; i < WEIGHT_BITS; i++) {
            if (i <= level && level - i < ACTIVATION_BITS)
                bits_add_pair(cut, &of, i, level - i, panels, tokens);
        }
    }
#pragma GCC unroll 8
    for (int n = 0; n < panels * tokens; n++)
        _mm256_storeu_si256((__m256i *)(void *)(cut->sums + (size_t)n * BITS_ROWS), _mm512_cvtepi64_epi32(of.sum[n]));
}

#define BITS_TILE(PANELS, TOKENS)                                                                                      \
    static void bits_tile_##PANELS##_##TOKENS(const struct bits_cut *cut)                                              \
    {                                                                                                                  \
        bits_tile_of(cut, PANELS, TOKENS);                                                                             \
    }
BITS_TILE(1, 1)
BITS_TILE(1, 2)
BITS_TILE(1, 4)
BITS_TILE(2, 1)
BITS_TILE(2, 2)
BITS_TILE(2, 4)

/* 2 panels and 4 tokens: a word of each token, broadcast, meets 2 registers. 1 and 8 broadcast as much again and take a third longer. */
#define bits_tile_1_8 bits_tile_1_4
#define bits_tile_2_8 bits_tile_2_4
BITS_VARIANT(2, 4, r16t4, BITS_CHAIN_COLUMNS)

/* ---- GEMV: weights are coded as they come, an exclusive or for all planes of activations ---- */

/** Of a panel: the coded word of each plane, the parity of each pair, counts of each level and one more for carries. */
struct bits_chained {
    __m512i word[WEIGHT_BITS], parity[WEIGHT_BITS * ACTIVATION_BITS], sum[BITS_LEVELS + 1];
};

BITS_INLINE void bits_count_into(__m512i *sum, __m512i bits)
{
    *sum = _mm512_add_epi64(*sum, _mm512_popcnt_epi64(bits));
}

/** Parities that are left at the end of a chain are counted, and the next one begins. */
BITS_INLINE void bits_end_chain(struct bits_chained *of)
{
#pragma GCC unroll 8
    for (int i = 0; i < WEIGHT_BITS; i++) {
        of->word[i] = _mm512_setzero_si512();
#pragma GCC unroll 8
        for (int j = 0; j < ACTIVATION_BITS; j++) {
            bits_count_into(&of->sum[i + j], of->parity[i * ACTIVATION_BITS + j]);
            of->parity[i * ACTIVATION_BITS + j] = _mm512_setzero_si512();
        }
    }
}

/** Two steps of all pairs of planes. */
BITS_INLINE void bits_add_two(struct bits_chained *of, const uint8_t *weights, const uint64_t *planes)
{
#pragma GCC unroll 8
    for (int i = 0; i < WEIGHT_BITS; i++) {
        const uint8_t *plane = weights + (size_t)i * BITS_PLANE_BYTES;
        __m512i first = _mm512_xor_si512(of->word[i], _mm512_loadu_si512(plane));
        __m512i second = _mm512_xor_si512(first, _mm512_loadu_si512(plane + STEP_BYTES));
        of->word[i] = second;
#pragma GCC unroll 8
        for (int j = 0; j < ACTIVATION_BITS; j++) {
            __m512i *parity = &of->parity[i * ACTIVATION_BITS + j];
            __m512i b = _mm512_xor_si512(first, bits_broadcast(planes + j));
            __m512i c = _mm512_xor_si512(second, bits_broadcast(planes + ACTIVATION_BITS + j));
            bits_count_into(&of->sum[i + j + 1], bits_carry(*parity, b, c));
            *parity = c;
        }
    }
}

/** One step by its differences, which are those of two parities, under its mask. */
BITS_INLINE void bits_add_one(struct bits_chained *of, const uint8_t *weights, const uint64_t *planes, __m512i mask)
{
    for (int i = 0; i < WEIGHT_BITS; i++) {
        of->word[i] = _mm512_xor_si512(of->word[i], _mm512_loadu_si512(weights + (size_t)i * BITS_PLANE_BYTES));
        for (int j = 0; j < ACTIVATION_BITS; j++) {
            /* the parity that the level counts already stays counted: what is counted here are differences alone */
            __m512i x = bits_broadcast(planes + j), *parity = &of->parity[i * ACTIVATION_BITS + j];
            __m512i differing = _mm512_xor_si512(_mm512_xor_si512(of->word[i], x), *parity);
            __m512i counted = _mm512_popcnt_epi64(_mm512_and_si512(differing, mask));
            /* parity + difference = new parity + 2 carries: with a mask, the count of the end is kept right here */
            of->sum[i + j] = _mm512_add_epi64(of->sum[i + j], counted);
            of->sum[i + j] = _mm512_add_epi64(of->sum[i + j], _mm512_popcnt_epi64(*parity));
            *parity = _mm512_xor_si512(of->word[i], x);
            of->sum[i + j] = _mm512_sub_epi64(of->sum[i + j], _mm512_popcnt_epi64(*parity));
        }
    }
}

/** Sums of nothing, in which a chain begins. */
BITS_INLINE void bits_begin(struct bits_chained *of)
{
#pragma GCC unroll 32
    for (int n = 0; n < WEIGHT_BITS * ACTIVATION_BITS; n++)
        of->parity[n] = _mm512_setzero_si512();
#pragma GCC unroll 16
    for (int level = 0; level <= BITS_LEVELS; level++)
        of->sum[level] = _mm512_setzero_si512();
#pragma GCC unroll 8
    for (int i = 0; i < WEIGHT_BITS; i++)
        of->word[i] = _mm512_setzero_si512();
}

/** The sums of a panel whose chains have ended, of differing bits by what they count for. */
BITS_INLINE __m512i bits_end(const struct bits_chained *of)
{
    __m512i sum[BITS_LEVELS];
#pragma GCC unroll 16
    for (int level = 0; level < BITS_LEVELS; level++)
        sum[level] = of->sum[level];
    sum[BITS_LEVELS - 1] =
        _mm512_add_epi64(sum[BITS_LEVELS - 1], _mm512_add_epi64(of->sum[BITS_LEVELS], of->sum[BITS_LEVELS]));
    return bits_sum_powers(sum, BITS_LEVELS);
}

BITS_INLINE void bits_gemv_panel(const struct gemv_slice *slice, const uint8_t *weights, float *out)
{
    const struct bits_token token = *bits_tokens(slice->prepared);
    const uint64_t *planes = bits_planes(slice->prepared);
    const uint64_t *masks = bits_masks(slice->prepared, slice->k, 1, ACTIVATION_BITS);
    const size_t steps = slice->k / STEP_COLUMNS, whole = token.columns / STEP_COLUMNS;
    struct bits_chained of;
    bits_begin(&of);
    size_t step = 0;
    for (size_t first = 0; first < steps; first += BITS_CHAIN_STEPS) {
        size_t end = steps - first < BITS_CHAIN_STEPS ? steps : first + BITS_CHAIN_STEPS;
        for (; step + 2 <= end && step + 2 <= whole; step += 2) {
            const uint8_t *at = weights + step * STEP_BYTES;
#pragma GCC unroll 8
            for (size_t line = 0; line < 2 * STEP_BYTES; line += 64)
                __builtin_prefetch((const void *)((uintptr_t)at + slice->prefetch_bytes + line), 0, 3);
            bits_add_two(&of, at, planes + step * ACTIVATION_BITS);
        }
        for (; step < end; step++)
            bits_add_one(&of, weights + step * STEP_BYTES, planes + step * ACTIVATION_BITS,
                         bits_broadcast(masks + step));
        bits_end_chain(&of);
    }
    bits_store_rows(token, bits_end(&of), out);
}

__attribute__((unused)) static void gemv(const struct gemv_slice *slice)
{
    for (size_t panel = 0; panel < slice->panels; panel++)
        bits_gemv_panel(slice, slice->weights + panel * slice->panel_bytes, slice->out_f32 + panel * BITS_ROWS);
}

/* ---- its gamma: chains whose weights lie in L1 ---- */

#define STEPS_TOGETHER BITS_CHAIN_STEPS
#include "micro/families/bit_serial/bit_serial_gamma.h"

#define STEP_SUM struct bits_step_sums

struct bits_step_sums {
    struct bits_chained of;
    uint32_t columns;
};

BITS_INLINE struct bits_step_sums step_zero(void)
{
    struct bits_step_sums sums = {.columns = 0};
    bits_begin(&sums.of);
    return sums;
}

BITS_INLINE struct bits_step_sums add_block(struct bits_step_sums sums, const uint8_t *weights,
                                            const struct bits_step_operand *operand)
{
    const uint64_t *planes = bits_planes(operand);
    for (size_t step = 0; step < BITS_CHAIN_STEPS; step += 2)
        bits_add_two(&sums.of, weights + step * STEP_BYTES, planes + step * ACTIVATION_BITS);
    bits_end_chain(&sums.of);
    sums.columns += BITS_CHAIN_COLUMNS;
    return sums;
}

BITS_INLINE void step_finish(int32_t *rows, struct bits_step_sums sums)
{
    int32_t differing[BITS_ROWS];
    _mm256_storeu_si256((__m256i *)(void *)differing, _mm512_cvtepi64_epi32(bits_end(&sums.of)));
    bits_finish_step(rows, differing, (struct bits_token){.columns = sums.columns});
}

#endif
