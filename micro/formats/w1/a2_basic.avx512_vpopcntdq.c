/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit weights, 2-bit activations, the naive way that the paper's ablation begins with [apt-llm, IV-B, Fig. 15]: each pair of planes
 * is a product of its own, all of which goes to memory, and only then are the products shifted and added. Weights are read once for
 * each pair, nothing is fetched ahead, and a register block has 8 rows and 4 tokens, which were not searched for.
 *
 * a2_scheduling, beside it, has the same block and instructions; what differs is where results of pairs meet, and the prefetch.
 */
#include "micro/families/bit_serial/bit_serial_layout.h"

#define ACTIVATION_BITS 2
#include <immintrin.h>

#include "micro/families/bit_serial/bit_serial_gemm.h"

/** Rows whose products wait in memory: 2 MiB with 64 tokens, twice a second-level cache. Longer slices are done piece by piece. */
enum { BASIC_ROWS = 4096, BASIC_TOKENS = 4, BASIC_PAIRS = WEIGHT_BITS * ACTIVATION_BITS };

/** One pair of planes of 8 rows and 4 tokens of a group, from token `first`: differing bits. */
static void multiply_pair(const uint8_t *panel, size_t k, int i, int j, const void *operand, size_t first,
                          size_t tokens, int32_t *product, size_t stride)
{
    const uint64_t *planes = bits_planes(operand) + first * ACTIVATION_BITS + (size_t)j;
    const uint64_t *masks = bits_masks(operand, k, BITS_GROUP, ACTIVATION_BITS) + first;
    size_t whole = bits_whole_steps(operand, BITS_GROUP);
    __m512i sum[BASIC_TOKENS] = {_mm512_setzero_si512()};
    panel += i * BITS_PLANE_BYTES;
    for (size_t step = 0; step < k / STEP_COLUMNS; step++) {
        const __m512i w = _mm512_loadu_si512(panel + step * STEP_BYTES);
#pragma GCC unroll 4
        for (size_t t = 0; t < BASIC_TOKENS; t++) {
            size_t at = step * BITS_GROUP + t;
            __m512i differing = _mm512_xor_si512(w, _mm512_set1_epi64((long long)planes[at * ACTIVATION_BITS]));
            if (step >= whole)
                differing = _mm512_and_si512(differing, _mm512_set1_epi64((long long)masks[at]));
            sum[t] = _mm512_add_epi64(sum[t], _mm512_popcnt_epi64(differing));
        }
    }
#pragma GCC unroll 4
    for (size_t t = 0; t < BASIC_TOKENS; t++) {
        if (t < tokens)
            _mm256_storeu_si256((__m256i *)(void *)(product + t * stride), _mm512_cvtepi64_epi32(sum[t]));
    }
}

/** The product of one pair: product[token][row]. */
static void multiply_all(const struct gemm_slice *slice, size_t panel, size_t panels, int i, int j, int32_t *product)
{
    size_t group_bytes = bits_group_bytes(slice->k, BITS_GROUP, ACTIVATION_BITS);
    for (size_t p = 0; p < panels; p++) {
        const uint8_t *weights = slice->weights + (panel + p) * slice->panel_bytes;
        for (size_t token = 0; token < slice->tokens; token += BASIC_TOKENS) {
            const uint8_t *operand = (const uint8_t *)slice->prepared + token / BITS_GROUP * group_bytes;
            size_t left = slice->tokens - token;
            multiply_pair(weights, slice->k, i, j, operand, token % BITS_GROUP,
                          left < BASIC_TOKENS ? left : BASIC_TOKENS, product + token * BASIC_ROWS + p * BITS_ROWS,
                          BASIC_ROWS);
        }
    }
}

/** All products shifted and added, token after token. */
static void recover(const struct gemm_slice *slice, size_t panel, size_t panels, const int32_t *products)
{
    size_t group_bytes = bits_group_bytes(slice->k, BITS_GROUP, ACTIVATION_BITS), apart = slice->tokens * BASIC_ROWS;
    for (size_t token = 0; token < slice->tokens; token++) {
        const void *operand = (const uint8_t *)slice->prepared + token / BITS_GROUP * group_bytes;
        struct bits_token of = bits_tokens(operand)[token % BITS_GROUP];
        float *out = slice->out + token * slice->out_stride + panel * BITS_ROWS;
        for (size_t row = 0; row < panels * BITS_ROWS; row++) {
            uint32_t sum = 0;
            for (int pair = 0; pair < BASIC_PAIRS; pair++)
                sum += (uint32_t)products[(size_t)pair * apart + token * BASIC_ROWS + row]
                       << (pair / ACTIVATION_BITS + pair % ACTIVATION_BITS);
            out[row] = bits_result(of, WEIGHT_BITS, ACTIVATION_BITS, (int32_t)sum);
        }
    }
}

static void run(const struct gemm_slice *slice)
{
    int32_t *products = slice->scratch;
    for (size_t panel = 0, panels; panel < slice->panels; panel += panels) {
        panels = slice->panels - panel < BASIC_ROWS / BITS_ROWS ? slice->panels - panel : BASIC_ROWS / BITS_ROWS;
        for (int pair = 0; pair < BASIC_PAIRS; pair++)
            multiply_all(slice, panel, panels, pair / ACTIVATION_BITS, pair % ACTIVATION_BITS,
                         products + (size_t)pair * slice->tokens * BASIC_ROWS);
        recover(slice, panel, panels, products);
    }
}

static size_t scratch_bytes(size_t k, size_t tokens)
{
    (void)k;
    return (size_t)BASIC_PAIRS * tokens * BASIC_ROWS * sizeof(int32_t);
}

const struct kernel SELF = {
    BITS_KERNEL,
    .origin = "apt-llm",
    .differs = "for CPUs, where its original is for GPUs",
    .gamma = "w1.a2_popcount.avx512_vpopcntdq",
    .gemm = {BITS_GEMM(run), .scratch_bytes = scratch_bytes},
};
