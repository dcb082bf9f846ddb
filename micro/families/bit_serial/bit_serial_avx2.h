/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bit-serial kernels of AVX2, which has no count of bits: Harley-Seal. A register is a bit of 4 rows and 64 columns. Weights and
 * activations are coded in chains, so that their exclusive or is the parity of all differences so far; three of these in a row, a, b
 * and c, are what a full adder of a and two differences would leave, and its carry is b ? ~c : a. An adder of the first level takes 3
 * operations for two differences in place of 5, those above it 5. Of 16 differences 8 carries count 2, 4 count 4, 2 count 8 and one 16,
 * which is counted by looking its nibbles up:
 *
 *     16 exclusive ors + 8 x 3 + (4 + 2 + 1) x 5 + 7 = 82 operations, 5.1 for a difference of 256 bits; look-ups alone take 8
 *
 * What is left over of a pair of planes, which count for 2^l, waits as carries of the level above: what counts 4 there counts 2 of the
 * next one, so that but two registers are counted between levels [apt-llm, III-B, data recovery].
 *
 *   ymm: parity, twos, fours, eights   counts of bytes   sums of 64 bits   0x0f, counts of nibbles   8 of adders
 */
#ifndef MICRO_FAMILIES_BIT_SERIAL_BIT_SERIAL_AVX2_H
#define MICRO_FAMILIES_BIT_SERIAL_BIT_SERIAL_AVX2_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#define BITS_CODED 1
#include "micro/families/bit_serial/bit_serial_bytes_avx2.h"

enum {
    BLOCK_STEPS = 16, /* whose sixteens are counted at once */
    BITS_CHAIN_COLUMNS = BITS_CHAIN_STEPS * STEP_COLUMNS,
};

/** Coded weights: [bit] [half of the rows] [BITS_CHAIN_STEPS] registers. */
BITS_INLINE uint8_t *bits_coded(const void *coded, int bit, int half)
{
    return (uint8_t *)(uintptr_t)coded + (size_t)(2 * bit + half) * BITS_CHAIN_STEPS * HALF_BYTES;
}

BITS_CALLED void bits_code(const uint8_t *weights, size_t steps, void *coded)
{
    for (int bit = 0; bit < WEIGHT_BITS; bit++) {
        const uint8_t *from = weights + (size_t)bit * BITS_PLANE_BYTES;
        uint8_t *low = bits_coded(coded, bit, 0), *high = bits_coded(coded, bit, 1);
        __m256i first = _mm256_setzero_si256(), second = first;
        for (size_t step = 0; step < steps; step++, from += STEP_BYTES) {
            first = _mm256_xor_si256(first, bits_load(from));
            second = _mm256_xor_si256(second, bits_load(from + HALF_BYTES));
            _mm256_store_si256((__m256i *)(void *)(low + step * HALF_BYTES), first);
            _mm256_store_si256((__m256i *)(void *)(high + step * HALF_BYTES), second);
        }
    }
}

/** What was added up: parity of the chain so far, and carries that count 2, 4 and 8 of the level. */
struct bits_adders {
    __m256i parity, twos, fours, eights;
    __m256i total; /* of 64 bits: what is counted already */
};

/** Carry of a + two differences, whose parities are b and c. */
BITS_INLINE __m256i bits_carry(__m256i a, __m256i b, __m256i c)
{
    return _mm256_or_si256(_mm256_andnot_si256(c, b), _mm256_andnot_si256(b, a));
}

/** Full adder: *sum becomes the sum bits of all three, and the carry is returned. What is carried on comes last: one step of latency. */
BITS_INLINE __m256i bits_full(__m256i *sum, __m256i b, __m256i c)
{
    __m256i one = _mm256_xor_si256(b, c), both = _mm256_and_si256(b, c);
    both = _mm256_or_si256(both, _mm256_and_si256(one, *sum));
    *sum = _mm256_xor_si256(one, *sum);
    return both;
}

/** Counts of bytes that count for 2^shift, to the total of their row. */
BITS_INLINE void bits_widen(struct bits_adders *adders, __m256i bytes, int shift)
{
    __m256i sum = _mm256_sad_epu8(bytes, _mm256_setzero_si256());
    adders->total = _mm256_add_epi64(adders->total, _mm256_sll_epi64(sum, _mm_cvtsi32_si128(shift)));
}

/** Parity of all differences up to a step. `apart`: words from step to step. */
BITS_INLINE __m256i bits_parity(const uint8_t *weights, const uint64_t *planes, size_t apart, size_t step)
{
    __m256i x = _mm256_set1_epi64x((long long)planes[step * apart]);
    return _mm256_xor_si256(x, bits_load(weights + step * HALF_BYTES));
}

/** Carry of the next two steps. */
BITS_INLINE __m256i bits_add_two(struct bits_adders *adders, const uint8_t *weights, const uint64_t *planes,
                                 size_t apart, size_t step)
{
    __m256i b = bits_parity(weights, planes, apart, step), c = bits_parity(weights, planes, apart, step + 1);
    __m256i carry = bits_carry(adders->parity, b, c);
    adders->parity = c;
    return carry;
}

/** Four steps: twos take two carries, and what they make of them counts 4. */
BITS_INLINE __m256i bits_add_four(struct bits_adders *adders, const uint8_t *weights, const uint64_t *planes,
                                  size_t apart, size_t step)
{
    __m256i first = bits_add_two(adders, weights, planes, apart, step);
    return bits_full(&adders->twos, first, bits_add_two(adders, weights, planes, apart, step + 2));
}

BITS_INLINE __m256i bits_add_eight(struct bits_adders *adders, const uint8_t *weights, const uint64_t *planes,
                                   size_t apart, size_t step)
{
    __m256i first = bits_add_four(adders, weights, planes, apart, step);
    return bits_full(&adders->fours, first, bits_add_four(adders, weights, planes, apart, step + 4));
}

BITS_INLINE __m256i bits_add_block(struct bits_adders *adders, const uint8_t *weights, const uint64_t *planes,
                                   size_t apart, size_t step)
{
    __m256i first = bits_add_eight(adders, weights, planes, apart, step);
    return bits_full(&adders->eights, first, bits_add_eight(adders, weights, planes, apart, step + 8));
}

/** The last steps of a chain, less than a block. Bytes reach 8 x 8. */
static inline void bits_add_rest(struct bits_adders *adders, const uint8_t *weights, const uint64_t *planes,
                                 size_t apart, size_t step, size_t end, int level)
{
    __m256i twos = _mm256_setzero_si256();
    for (; step + 2 <= end; step += 2)
        twos = _mm256_add_epi8(twos, bits_count(bits_add_two(adders, weights, planes, apart, step)));
    if (step < end) {
        __m256i parity = bits_parity(weights, planes, apart, step);
        twos = _mm256_add_epi8(twos, bits_count(_mm256_andnot_si256(parity, adders->parity)));
        adders->parity = parity;
    }
    bits_widen(adders, twos, level + 1);
}

/** Where software fetches meanwhile: `lines` lines a block, from `at` on. 0 lines: nowhere. */
struct bits_ahead {
    uintptr_t at;
    size_t lines;
};

/** All whole steps of one pair of planes. */
BITS_INLINE void bits_add_pair(struct bits_adders *adders, const uint8_t *weights, const uint64_t *planes, size_t apart,
                               size_t whole, int level, struct bits_ahead *ahead)
{
    __m256i sixteens = _mm256_setzero_si256();
    size_t step = 0;
    adders->parity = _mm256_setzero_si256();
    for (; step + BLOCK_STEPS <= whole; step += BLOCK_STEPS) {
        for (size_t line = 0; line < ahead->lines; line++, ahead->at += 64)
            __builtin_prefetch((const void *)ahead->at, 0, 3);
        __m256i carry = bits_add_block(adders, weights, planes, apart, step);
        sixteens = _mm256_add_epi8(sixteens, bits_count(carry));
    }
    bits_widen(adders, sixteens, level + 4);
    if (step < whole)
        bits_add_rest(adders, weights, planes, apart, step, whole, level);
    bits_widen(adders, bits_count(adders->parity), level);
}

/** Steps that have masks; they are few. The difference of a step is that of two parities. */
static inline void bits_add_masked(struct bits_adders *adders, const uint8_t *weights, const uint64_t *planes,
                                   const struct bits_cut *cut, size_t apart, const uint64_t *masks, size_t masks_apart,
                                   int level)
{
    for (size_t step = cut->whole; step < cut->steps; step++) {
        __m256i differing = bits_parity(weights, planes, apart, step);
        if (step)
            differing = _mm256_xor_si256(differing, bits_parity(weights, planes, apart, step - 1));
        differing = _mm256_and_si256(differing, _mm256_set1_epi64x((long long)masks[step * masks_apart]));
        bits_widen(adders, bits_count(differing), level);
    }
}

/** 4 rows and one token of a group of this many: sums of differing bits by what they count for. */
BITS_INLINE __m256i bits_multiply_half(const struct bits_cut *cut, int half, size_t token, size_t group,
                                       struct bits_ahead *ahead)
{
    const __m256i zero = _mm256_setzero_si256();
    struct bits_adders adders = {zero, zero, zero, zero, zero};
    const uint64_t *planes = cut->planes + token * ACTIVATION_BITS;
    for (int level = 0; level < BITS_LEVELS; level++) {
        for (int i = 0; i < WEIGHT_BITS; i++) {
            int j = level - i;
            if (j < 0 || j >= ACTIVATION_BITS)
                continue;
            const uint8_t *weights = bits_coded(cut->weights, i, half);
            bits_add_pair(&adders, weights, planes + j, group * ACTIVATION_BITS, cut->whole, level, ahead);
            if (cut->whole < cut->steps)
                bits_add_masked(&adders, weights, planes + j, cut, group * ACTIVATION_BITS, cut->masks + token, group,
                                level);
        }
        /* what counts 4 of this level counts 2 of the next */
        bits_widen(&adders, bits_count(adders.twos), level + 1);
        adders.twos = adders.fours;
        adders.fours = adders.eights;
        adders.eights = zero;
    }
    bits_widen(&adders, bits_count(adders.twos), BITS_LEVELS + 1);
    bits_widen(&adders, bits_count(adders.fours), BITS_LEVELS + 2);
    return adders.total;
}

static void bits_tile_tokens(const struct bits_cut *cut, size_t tokens)
{
    struct bits_ahead none = {0, 0};
    for (size_t token = 0; token < tokens; token++) {
        for (int half = 0; half < 2; half++)
            _mm_storeu_si128((__m128i *)(void *)(cut->sums + token * BITS_ROWS + half * HALF_ROWS),
                             bits_narrow(bits_multiply_half(cut, half, token, BITS_GROUP, &none)));
    }
}

#define BITS_TILE(TOKENS)                                                                                              \
    static void bits_tile_1_##TOKENS(const struct bits_cut *cut)                                                       \
    {                                                                                                                  \
        bits_tile_tokens(cut, TOKENS);                                                                                 \
    }
BITS_TILE(1)
BITS_TILE(2)
BITS_TILE(4)
BITS_TILE(8)

BITS_VARIANT(1, 8, whole, BITS_CHAIN_COLUMNS)

/* ---- GEMV ---- */

/** A chain of a panel: coded, then multiplied while the next one is fetched. Adds to sums[BITS_ROWS]. */
BITS_CALLED void bits_gemv_chain(const struct gemv_slice *slice, const uint8_t *weights, size_t first, size_t steps,
                                 int32_t *sums)
{
    _Alignas(64) uint8_t coded[BITS_CHAIN_STEPS * STEP_BYTES];
    const size_t whole = bits_tokens(slice->prepared)->columns / STEP_COLUMNS;
    struct bits_cut cut = {
        .weights = coded,
        .planes = bits_planes(slice->prepared) + first * ACTIVATION_BITS,
        .masks = bits_masks(slice->prepared, slice->k, 1, ACTIVATION_BITS) + first,
        .whole = whole < first           ? 0
                 : whole - first < steps ? whole - first
                                         : steps,
        .steps = steps,
    };
    /* as many lines in all as there are, in blocks of all pairs and both halves */
    const size_t blocks = 2 * WEIGHT_BITS * ACTIVATION_BITS * (BITS_CHAIN_STEPS / BLOCK_STEPS);
    const size_t lines = BITS_CHAIN_STEPS * STEP_BYTES / 64;
    struct bits_ahead ahead = {(uintptr_t)weights + slice->prefetch_bytes,
                               slice->prefetch_bytes ? (lines + blocks - 1) / blocks : 0};
    bits_code(weights, steps, coded);
    for (int half = 0; half < 2; half++) {
        int32_t *to = sums + half * HALF_ROWS;
        __m128i sum = bits_narrow(bits_multiply_half(&cut, half, 0, 1, &ahead));
        _mm_storeu_si128((__m128i *)(void *)to, _mm_add_epi32(sum, _mm_loadu_si128((const __m128i *)(void *)to)));
    }
}

static void gemv(const struct gemv_slice *slice)
{
    const size_t steps = slice->k / STEP_COLUMNS;
    for (size_t panel = 0; panel < slice->panels; panel++) {
        const uint8_t *weights = slice->weights + panel * slice->panel_bytes;
        int32_t sums[BITS_ROWS] = {0};
        for (size_t step = 0; step < steps; step += BITS_CHAIN_STEPS)
            bits_gemv_chain(slice, weights + step * STEP_BYTES, step,
                            steps - step < BITS_CHAIN_STEPS ? steps - step : BITS_CHAIN_STEPS, sums);
        for (size_t row = 0; row < BITS_ROWS; row++)
            slice->out_f32[panel * BITS_ROWS + row] =
                bits_result(*bits_tokens(slice->prepared), WEIGHT_BITS, ACTIVATION_BITS, sums[row]);
    }
}

/* ---- its gamma: chains whose weights lie in L1 ---- */

#define STEPS_TOGETHER BITS_CHAIN_STEPS
#include "micro/families/bit_serial/bit_serial_gamma.h"

#define STEP_SUM struct bits_chain_sums

struct bits_chain_sums {
    int32_t differing[BITS_ROWS];
    uint32_t columns;
};

BITS_INLINE struct bits_chain_sums step_zero(void)
{
    return (struct bits_chain_sums){0};
}

BITS_INLINE struct bits_chain_sums add_block(struct bits_chain_sums sums, const uint8_t *weights,
                                             const struct bits_step_operand *operand)
{
    const struct gemv_slice slice = {.k = BITS_CHAIN_COLUMNS, .prepared = operand};
    if (bits_tokens(operand)->columns != BITS_CHAIN_COLUMNS)
        __builtin_unreachable(); /* no step has masks */
    bits_gemv_chain(&slice, weights, 0, BITS_CHAIN_STEPS, sums.differing);
    sums.columns += BITS_CHAIN_COLUMNS;
    return sums;
}

BITS_INLINE void step_finish(int32_t *rows, struct bits_chain_sums sums)
{
    bits_finish_step(rows, sums.differing, (struct bits_token){.columns = sums.columns});
}

#endif
