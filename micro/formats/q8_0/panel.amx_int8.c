/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Requantized: micro/families/amx/amx_requantized_rows.h. Codes have as many bits as a q, so that q is rint((scale * factor) * code) in floats, with
 * factor = 127 / max|w|: 76 vector uops for 256 weights, and some 40 for max|w|.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum { RUN_BLOCKS = 256 / BLOCK_COLUMNS };

struct requantizing {
    const uint8_t *from;
    size_t blocks;
    float scale, ratio[RUN_BLOCKS]; /* of a q; of its blocks to that */
};

#include "micro/families/amx/amx_requantized_rows.h"

static inline __m512i rounded(const uint8_t *codes, __m512 ratio)
{
    const __m512i values = _mm512_cvtepi8_epi32(_mm_loadu_si128((const void *)codes));
    return _mm512_cvtps_epi32(_mm512_mul_ps(_mm512_cvtepi32_ps(values), ratio));
}

/** max|w| of a block. */
static inline __m256 largest_of(const uint8_t *block, __m256 scale)
{
    __m256i most = _mm256_abs_epi8(_mm256_loadu_si256((const void *)(block + BLOCK_CODES)));
    most = _mm256_max_epu8(most, _mm256_srli_epi32(most, 16));
    most = _mm256_max_epu8(most, _mm256_srli_epi32(most, 8));
    most = _mm256_and_si256(most, _mm256_set1_epi32(255));
    return _mm256_mul_ps(_mm256_cvtepi32_ps(most), scale);
}

static inline struct requantizing requantize_begin(const uint8_t *row, size_t run, size_t columns)
{
    const uint8_t *from = row + run * RUN_BLOCKS * BLOCK_BYTES;
    struct requantizing begun = {.from = from, .blocks = columns / BLOCK_COLUMNS, .ratio = {0}};
    __m256 largest = _mm256_setzero_ps();
    for (size_t i = 0; i < begun.blocks; i++) {
        begun.ratio[i] = half_float_at(from + i * BLOCK_BYTES);
        largest = _mm256_max_ps(largest, largest_of(from + i * BLOCK_BYTES, _mm256_set1_ps(fabsf(begun.ratio[i]))));
    }
    const float most = q8_largest(largest), factor = most > 0 ? 127 / most : 0;
    for (size_t i = 0; i < begun.blocks; i++)
        begun.ratio[i] *= factor;
    begun.scale = most / 127;
    return begun;
}

static inline __m512i requantize_line(const struct requantizing *run, size_t line)
{
    const __m512i in_order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    const size_t i = 2 * line;
    if (i >= run->blocks)
        return _mm512_setzero_si512();
    const uint8_t *first = run->from + i * BLOCK_BYTES + BLOCK_CODES;
    const uint8_t *second = i + 1 < run->blocks ? first + BLOCK_BYTES : first; /* its q meet activations of 0 */
    const __m512 ratio = _mm512_set1_ps(run->ratio[i]), next = _mm512_set1_ps(run->ratio[i + 1]);
    const __m512i low = _mm512_packs_epi32(rounded(first, ratio), rounded(first + 16, ratio));
    const __m512i high = _mm512_packs_epi32(rounded(second, next), rounded(second + 16, next));
    return _mm512_permutexvar_epi32(in_order, _mm512_packs_epi16(low, high));
}

static float requantized_row(const uint8_t *row, size_t run, size_t columns, struct requantized *to)
{
    const uint8_t *from = row + run * RUN_BLOCKS * BLOCK_BYTES;
    float most = 0;
    for (size_t column = 0; column < columns; column++) {
        const uint8_t *block = from + column / BLOCK_COLUMNS * BLOCK_BYTES;
        const int32_t code = (int8_t)block[BLOCK_CODES + column % BLOCK_COLUMNS];
        most = fmaxf(most, fabsf(half_float_at(block)) * (float)abs(code));
    }
    const float factor = most > 0 ? 127 / most : 0;
    for (size_t column = 0; column < columns; column++) {
        const uint8_t *block = from + column / BLOCK_COLUMNS * BLOCK_BYTES;
        const float ratio = half_float_at(block) * factor;
        to->q[column] = (int32_t)rintf(ratio * (float)(int8_t)block[BLOCK_CODES + column % BLOCK_COLUMNS]);
        to->magnitude[column] = 0;
    }
    return most / 127;
}

const struct kernel SELF = AMX_REQUANTIZED_ROWS(Q8_ERROR_BOUND);
