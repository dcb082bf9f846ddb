/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of nvfp4_m16 with 256 bits, four panels side by side, lanes are rows, eight at a time. Twice the values are looked up, for VNNI 12 more; else their
 * signs go to the activations.
 */
#include "micro/formats/mxfp4/codes.h"
#include "micro/formats/nvfp4/lane_scales.h"

#define NVFP4_REGISTER 0
#include "micro/formats/nvfp4/operand.h"

#define BLOCKS_TOGETHER 1
#define BLOCK_FLOATS    "micro/formats/nvfp4_m16/sums_256.h"
#include BLOCK_FLOATS

#define BLOCK_STORE(out, panel, sum) block_store((out) + (panel)*BLOCK_ROWS, sum)

/** Four activations in all lanes. */
ROWS_INLINE __m256i broadcast(const int8_t *four)
{
    int32_t bits;
    memcpy(&bits, four, sizeof bits);
    return _mm256_set1_epi32(bits);
}

ROWS_INLINE __m256 group_sums(const uint8_t *lines, const struct nvfp4_operand *a, int group)
{
    __m256i start = _mm256_set1_epi32(a->start_of_group[group]), sums = products_begin(start);
#pragma GCC unroll 2
    for (int c = 0; c < 2; c++) {
        __m256i line = _mm256_loadu_si256((const __m256i *)(const void *)(lines + 64 * c));
        ROWS_IN_REGISTER(line);
        sums = products_add(sums, nibble_codes(line), broadcast(a->q + 16 * group + 4 * c));
        sums = products_add(sums, nibble_codes(_mm256_srli_epi16(line, 4)), broadcast(a->q + 16 * group + 8 + 4 * c));
    }
    return _mm256_cvtepi32_ps(products_end(sums, start));
}

ROWS_INLINE block_floats add_block(block_floats sum, const uint8_t *weights, const struct nvfp4_operand *a)
{
    ROWS_READ_AGAIN(a);
#pragma GCC unroll 2
    for (int half = 0; half < 2; half++) {
        __m256 whole = _mm256_setzero_ps();
#pragma GCC unroll 4
        for (int group = 0; group < 4; group++)
            whole = _mm256_fmadd_ps(group_sums(weights + BLOCK_CODES + 128 * group + 32 * half, a, group),
                                    nvfp4_lane_scales(weights + 16 * group + 8 * half), whole);
        sum.half[half] = _mm256_fmadd_ps(whole, _mm256_set1_ps(a->scale), sum.half[half]);
    }
    return sum;
}

#include "micro/families/blocks/block_rows.h"

const struct kernel SELF = NVFP4_KERNEL;

#include "micro/frames/gamma.h"
