/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bit-serial kernels of AVX2 that look both nibbles of every byte of differences up, 8 operations for a difference of 256 bits: what
 * bit_serial_avx2.h is to be held against. A register is a bit of 4 rows and 64 columns, a word of activations is broadcast. Bytes of
 * one pair of planes are added up for as many steps as they hold, then widened, shifted to their place and added [apt-llm, III-B, data
 * recovery].
 */
#ifndef MICRO_FAMILIES_BIT_SERIAL_BIT_SERIAL_NIBBLE_AVX2_H
#define MICRO_FAMILIES_BIT_SERIAL_BIT_SERIAL_NIBBLE_AVX2_H

#include "micro/families/bit_serial/bit_serial_bytes_avx2.h"

enum { BYTE_STEPS = 31 }; /* of 8 differences at most, which a byte holds */

/** Counts of bytes that count for 2^level, to the sums of 4 rows. */
BITS_INLINE __m256i bits_widened(__m256i sum, __m256i bytes, int level)
{
    __m256i row = _mm256_sad_epu8(bytes, _mm256_setzero_si256());
    return _mm256_add_epi64(sum, _mm256_slli_epi64(row, level));
}

/** Differing bits of 4 rows in one step. */
BITS_INLINE __m256i bits_differ(const uint8_t *weights, const uint64_t *planes)
{
    return _mm256_xor_si256(bits_load(weights), _mm256_set1_epi64x((long long)*planes));
}

/** Whole steps from `step` to `end`, BYTE_STEPS at most, of all pairs of planes and one token of a group of this many. */
BITS_INLINE void bits_add_steps(const struct bits_cut *cut, const uint64_t *planes, size_t group, size_t step,
                                size_t end, __m256i *sum)
{
    for (int i = 0; i < WEIGHT_BITS; i++) {
        for (int j = 0; j < ACTIVATION_BITS; j++) {
            __m256i low = _mm256_setzero_si256(), high = low;
            for (size_t at = step; at < end; at++) {
                const uint8_t *weights = cut->weights + at * STEP_BYTES + (size_t)i * BITS_PLANE_BYTES;
                const uint64_t *word = planes + at * group * ACTIVATION_BITS + j;
                low = _mm256_add_epi8(low, bits_count(bits_differ(weights, word)));
                high = _mm256_add_epi8(high, bits_count(bits_differ(weights + HALF_BYTES, word)));
            }
            sum[0] = bits_widened(sum[0], low, i + j);
            sum[1] = bits_widened(sum[1], high, i + j);
        }
    }
}

/** A step with a mask; they are few. */
static inline void bits_add_masked(const struct bits_cut *cut, const uint64_t *planes, const uint64_t *mask,
                                   size_t group, size_t step, __m256i *sum)
{
    const __m256i counted = _mm256_set1_epi64x((long long)*mask);
    for (int pair = 0; pair < WEIGHT_BITS * ACTIVATION_BITS; pair++) {
        const int i = pair / ACTIVATION_BITS, j = pair % ACTIVATION_BITS;
        const uint8_t *weights = cut->weights + step * STEP_BYTES + (size_t)i * BITS_PLANE_BYTES;
        for (int half = 0; half < 2; half++) {
            __m256i differing = bits_differ(weights + half * HALF_BYTES, planes + step * group * ACTIVATION_BITS + j);
            __m256i row = _mm256_sad_epu8(bits_count(_mm256_and_si256(differing, counted)), _mm256_setzero_si256());
            sum[half] = _mm256_add_epi64(sum[half], _mm256_sll_epi64(row, _mm_cvtsi32_si128(i + j)));
        }
    }
}

/** A panel and one token of a group of this many: sums of differing bits by what they count for. `ahead`: bytes, 0 for none. */
BITS_INLINE void bits_multiply_token(const struct bits_cut *cut, size_t token, size_t group, size_t ahead)
{
    const uint64_t *planes = cut->planes + token * ACTIVATION_BITS;
    __m256i sum[2] = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    for (size_t step = 0, end; step < cut->whole; step = end) {
        end = cut->whole - step < BYTE_STEPS ? cut->whole : step + BYTE_STEPS;
        uintptr_t at = (uintptr_t)cut->weights + ahead;
        for (size_t byte = step * STEP_BYTES; ahead && byte < end * STEP_BYTES; byte += 64)
            __builtin_prefetch((const void *)(at + byte), 0, 3);
        bits_add_steps(cut, planes, group, step, end, sum);
    }
    for (size_t step = cut->whole; step < cut->steps; step++)
        bits_add_masked(cut, planes, cut->masks + step * group + token, group, step, sum);
    for (int half = 0; half < 2; half++)
        _mm_storeu_si128((__m128i *)(void *)(cut->sums + token * BITS_ROWS + half * HALF_ROWS), bits_narrow(sum[half]));
}

static void bits_tile_tokens(const struct bits_cut *cut, size_t tokens)
{
    for (size_t token = 0; token < tokens; token++)
        bits_multiply_token(cut, token, BITS_GROUP, 0);
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

/* columns: weights of 2 bits take 8 KiB, which all tokens read */
BITS_VARIANT(1, 8, r8t8, 4096)

static void gemv(const struct gemv_slice *slice)
{
    const struct bits_token token = *bits_tokens(slice->prepared);
    for (size_t panel = 0; panel < slice->panels; panel++) {
        int32_t sums[BITS_ROWS];
        struct bits_cut cut = {
            .weights = slice->weights + panel * slice->panel_bytes,
            .planes = bits_planes(slice->prepared),
            .masks = bits_masks(slice->prepared, slice->k, 1, ACTIVATION_BITS),
            .whole = token.columns / STEP_COLUMNS,
            .steps = slice->k / STEP_COLUMNS,
            .sums = sums,
        };
        bits_multiply_token(&cut, 0, 1, slice->prefetch_bytes);
        for (size_t row = 0; row < BITS_ROWS; row++)
            slice->out_f32[panel * BITS_ROWS + row] = bits_result(token, WEIGHT_BITS, ACTIVATION_BITS, sums[row]);
    }
}

/* ---- its gamma: as many steps as bytes hold, weights in L1 ---- */

#define STEPS_TOGETHER BYTE_STEPS
#include "micro/families/bit_serial/bit_serial_gamma.h"

#define STEP_SUM struct bits_sums

struct bits_sums {
    __m256i half[2];
    uint32_t columns;
};

BITS_INLINE struct bits_sums step_zero(void)
{
    return (struct bits_sums){{_mm256_setzero_si256(), _mm256_setzero_si256()}, 0};
}

BITS_INLINE struct bits_sums add_block(struct bits_sums sums, const uint8_t *weights,
                                       const struct bits_step_operand *operand)
{
    const struct bits_cut cut = {.weights = weights};
    bits_add_steps(&cut, bits_planes(operand), 1, 0, BYTE_STEPS, sums.half);
    sums.columns += BYTE_STEPS * STEP_COLUMNS;
    return sums;
}

BITS_INLINE void step_finish(int32_t *rows, struct bits_sums sums)
{
    int32_t differing[BITS_ROWS];
    for (int half = 0; half < 2; half++)
        _mm_storeu_si128((__m128i *)(void *)(differing + half * HALF_ROWS), bits_narrow(sums.half[half]));
    bits_finish_step(rows, differing, (struct bits_token){.columns = sums.columns});
}

#endif
