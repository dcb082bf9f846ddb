/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The product of any bits, of all 64 pairs of 1 to 8, against the definition in micro/quantization/bipolar.h: odd K, tails of zeros, the ends of the range, every
 * register block, and a GEMV of more than one cut with panels left over.
 */
#include <stdlib.h>
#include <string.h>

#include "micro/families/bit_serial/bit_serial_any_avx512.h"
#include "micro/isa/random.h"
#include "micro/quantization/bipolar_testing.h"
#include "unit_test.h"

enum { STEPS = 18, K_PADDED = 64 * STEPS, PANELS = 5, TOKENS = 8, BITS_MOST = BIPOLAR_BITS_MOST };

static uint64_t weights[PANELS][STEPS][BITS_MOST][BITS_ROWS]; /* of fewer bits [PANELS][STEPS][bits][rows], in front */
static float activations[TOKENS][K_PADDED];
static _Alignas(64) uint8_t operand[BITS_HEADER_BYTES + STEPS * TOKENS * (BITS_MOST + 1) * sizeof(uint64_t) + 64];

static void require_vpopcntdq(void)
{
    skip_if(!__builtin_cpu_supports("avx512vpopcntdq") || !__builtin_cpu_supports("avx512vl"),
            "not on this machine: no AVX512-VPOPCNTDQ");
}

/** Weights random, those of the first panel the least and of the second the largest; past k whatever is random. */
static void draw(uint32_t p, size_t k, uint64_t *random)
{
    uint64_t *words = &weights[0][0][0][0];
    size_t panel_words = (size_t)STEPS * p * BITS_ROWS;
    for (size_t i = 0; i < PANELS * panel_words; i++)
        words[i] = i < panel_words ? 0 : i < 2 * panel_words ? UINT64_MAX : random_bits(random);
    for (size_t token = 0; token < TOKENS; token++) {
        size_t end = token % 4 == 1 ? k / 2 : k; /* a tail of zeros */
        for (size_t i = 0; i < K_PADDED; i++) {
            float value = (float)(int64_t)(random_bits(random) >> 40) * 0x1p-23f - 1;
            value = token == 2 ? 0 : token == 3 ? 3.5f : token == 4 ? (i % 3 ? -3.5f : 3.5f) : value;
            activations[token][i] = i < end ? value : 0;
        }
    }
}

/** A row times a token in integers, and the token's scale. */
static float expect(uint32_t p, uint32_t q, size_t panel, size_t row, size_t token, size_t k)
{
    static uint8_t u[K_PADDED], w[K_PADDED];
    const uint64_t *words = &weights[0][0][0][0];
    size_t columns = k;
    while (columns && activations[token][columns - 1] == 0)
        columns--;
    struct bipolar_quantized quantized = bipolar_quantize(activations[token], columns, q, u);
    for (size_t column = 0; column < columns; column++) {
        w[column] = 0;
        for (size_t i = 0; i < p; i++) {
            uint64_t word = words[((panel * STEPS + column / 64) * p + i) * BITS_ROWS + row];
            w[column] |= (uint8_t)((word >> column % 64 & 1) << i);
        }
    }
    return quantized.scale * (float)bipolar_product(w, p, u, q, columns);
}

static void block_must_be_right(struct bits_widths of, int panels, int tokens, size_t k)
{
    int32_t sums[BITS_PANELS_MOST * TOKENS * BITS_ROWS];
    size_t columns = (k + 63) / 64 * 64, panel_bytes = (size_t)STEPS * (size_t)of.weights * BITS_PLANE_BYTES;
    size_t first = PANELS - (size_t)panels;
    uint32_t p = (uint32_t)of.weights, q = (uint32_t)of.activations;
    struct bits_cut cut = {
        .weights = (const uint8_t *)weights + first * panel_bytes,
        .panel_bytes = panel_bytes,
        .group = TOKENS,
        .planes = bits_planes(operand),
        .masks = bits_masks(operand, columns, TOKENS, q),
        .whole = bits_whole_steps(operand, TOKENS),
        .steps = columns / 64,
        .sums = sums,
    };
    bits_any(&cut, of, panels, tokens);
    for (int n = 0; n < panels * tokens; n++) {
        size_t token = (size_t)(n % tokens), panel = first + (size_t)(n / tokens);
        for (size_t row = (size_t)n % 3; row < BITS_ROWS; row += 3) {
            float got = bits_result(bits_tokens(operand)[token], p, q, sums[(size_t)n * BITS_ROWS + row]);
            if (got != expect(p, q, panel, row, token, k))
                fail_msg("w%ua%u, %d panels, %d tokens, K = %zu, token %zu, row %zu", p, q, panels, tokens, k, token,
                         row);
        }
    }
}

TEST(blocks_of_all_pairs_are_exact)
{
    static const size_t k_tried[] = {1, 65, 321};
    static const int blocks[][2] = {{1, 1}, {1, 2}, {1, 4}, {1, 8}, {2, 1}, {2, 2}, {2, 4}, {2, 8}, {4, 1}};
    uint64_t random = 1;
    require_vpopcntdq();
    for (int pair = 0; pair < BITS_MOST * BITS_MOST; pair++) {
        struct bits_widths of = {pair / BITS_MOST + 1, pair % BITS_MOST + 1};
        for (size_t i = 0; i < sizeof k_tried / sizeof *k_tried; i++) {
            size_t k = k_tried[i];
            draw((uint32_t)of.weights, k, &random);
            bits_prepare(activations[0], K_PADDED, (k + 63) / 64 * 64, TOKENS, TOKENS, (uint32_t)of.activations,
                         operand);
            /* every block with one K, the largest with all */
            for (size_t n = 0; n < sizeof blocks / sizeof *blocks; n++) {
                if (i == 1 || n == 7)
                    block_must_be_right(of, blocks[n][0], blocks[n][1], k);
            }
        }
    }
}

TEST(gemvs_of_all_pairs_are_exact)
{
    enum { K = 1101 }; /* 18 steps: a cut of 16 and 2, the last with a mask */
    uint64_t random = 2;
    float out[PANELS * BITS_ROWS];
    require_vpopcntdq();
    for (int pair = 0; pair < BITS_MOST * BITS_MOST; pair++) {
        struct bits_widths of = {pair / BITS_MOST + 1, pair % BITS_MOST + 1};
        draw((uint32_t)of.weights, K, &random);
        for (size_t token = (size_t)pair % 2; token < 5; token += 2) {
            bits_prepare(activations[token], K_PADDED, K_PADDED, 1, 1, (uint32_t)of.activations, operand);
            const struct gemv_slice slice = {
                .weights = (const uint8_t *)weights,
                .panels = PANELS,
                .panel_bytes = (size_t)STEPS * (size_t)of.weights * BITS_PLANE_BYTES,
                .steps = STEPS,
                .k = K_PADDED,
                .prepared = operand,
                .out_f32 = out,
                .prefetch_bytes = pair % 2 ? 4096 : 0,
            };
            bits_any_gemv(&slice, of);
            for (size_t row = 0; row < PANELS * BITS_ROWS; row += 3) {
                if (out[row] !=
                    expect((uint32_t)of.weights, (uint32_t)of.activations, row / BITS_ROWS, row % BITS_ROWS, token, K))
                    fail_msg("w%da%d, token %zu, row %zu", of.weights, of.activations, token, row);
            }
        }
    }
}

RUN_TESTS(NULL, NULL)
