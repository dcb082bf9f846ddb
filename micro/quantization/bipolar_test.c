/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bipolar integers of 1 to 8 bits, all of them.
 */
#include <math.h>
#include <stdlib.h>

#include "micro/isa/random.h"
#include "micro/quantization/bipolar_testing.h"
#include "unit_test.h"

enum { K = 500 };

#define for_all_bits(bits) for (uint32_t bits = 1; bits <= BIPOLAR_BITS_MOST; bits++)

/* [apt-llm, III-A]: sum_i (2 x_i - 1) 2^i */
static int32_t value_by_bits(uint32_t u, uint32_t bits)
{
    int32_t value = 0;
    for (uint32_t i = 0; i < bits; i++)
        value += (u >> i & 1 ? 1 : -1) * (1 << i);
    return value;
}

TEST(each_bit_counts_minus_one_or_one)
{
    for_all_bits(bits) for (uint32_t u = 0; u < 1u << bits; u++)
        assert_int_equal(bipolar_from_bits(u, bits), value_by_bits(u, bits));
}

TEST(bits_and_values_convert_both_ways)
{
    for_all_bits(bits)
    {
        assert_int_equal(bipolar_most(bits), (1 << bits) - 1);
        for (uint32_t u = 0; u < 1u << bits; u++)
            assert_int_equal(bipolar_to_bits(bipolar_from_bits(u, bits), bits), u);
    }
}

/** Flipping the sign bit of the code and 2x + 1 are the same [apt-llm, Fig. 4]. */
TEST(signed_integers_convert_both_ways)
{
    for_all_bits(bits) for (int32_t x = -(1 << (bits - 1)); x < 1 << (bits - 1); x++)
    {
        uint32_t u = bipolar_bits_of_code((uint32_t)x, bits);
        assert_true(u < 1u << bits);
        assert_int_equal(bipolar_from_bits(u, bits), 2 * x + 1);
        assert_int_equal(bipolar_to_signed(2 * x + 1), x);
    }
}

/** Scales and zeros that are multiples of a power of two: all arithmetic is exact, and so is the equality. */
TEST(scale_and_zero_keep_the_real_number)
{
    static const struct affine parameters[] = {{0.125, 0}, {0.125, -0.75}, {3, 1000.25}, {0x1p-20, 1}};
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++) {
        struct affine of = parameters[i], to = bipolar_affine_of_signed(of);
        for (int32_t x = -(1 << (BIPOLAR_BITS_MOST - 1)); x < 1 << (BIPOLAR_BITS_MOST - 1); x++)
            assert_true(of.scale * x + of.zero == to.scale * (2 * x + 1) + to.zero);
    }
}

static void random_codes(uint8_t *u, uint32_t bits, uint64_t *random)
{
    random_bytes(u, K, random);
    for (size_t i = 0; i < K; i++)
        u[i] &= (uint8_t)((1u << bits) - 1);
}

/** From popcounts of XOR of planes, as kernels compute it: K (2^p - 1)(2^q - 1) - 2 sum_ij 2^(i+j) popcount(W_i ^ X_j). */
TEST(product_is_that_of_planes)
{
    uint64_t random = 8;
    for_all_bits(p) for_all_bits(q)
    {
        uint8_t w[K], x[K];
        random_codes(w, p, &random);
        random_codes(x, q, &random);
        int64_t differing = 0;
        for (size_t c = 0; c < K; c++)
            for (uint32_t i = 0; i < p; i++)
                for (uint32_t j = 0; j < q; j++)
                    differing += (int64_t)((w[c] >> i ^ x[c] >> j) & 1) << (i + j);
        assert_int_equal(bipolar_product(w, p, x, q, K),
                         (int64_t)K * bipolar_most(p) * bipolar_most(q) - 2 * differing);
    }
}

TEST(activations_come_back_within_a_scale)
{
    uint64_t random = 9;
    float x[K];
    uint8_t u[K];
    for (float magnitude = 0x1p-117f; magnitude < 0x1p100f; magnitude *= 0x1p31f) {
        for (size_t i = 0; i < K; i++)
            x[i] = magnitude * random_float(&random);
        x[17] = -magnitude;
        for_all_bits(bits)
        {
            struct bipolar_quantized quantized = bipolar_quantize(x, K, bits, u);
            assert_true(quantized.scale == magnitude / (float)bipolar_most(bits));
            int32_t sum = 0;
            for (size_t i = 0; i < K; i++) {
                assert_true(u[i] < 1u << bits);
                int32_t value = bipolar_from_bits(u[i], bits);
                double error = fabs((double)x[i] - (double)quantized.scale * value);
                assert_true(error <= (double)quantized.scale * (1 + 0x1p-14));
                sum += value;
            }
            assert_int_equal(u[17], 0);
            assert_int_equal(quantized.sum, sum);
        }
    }
}

/** Values that have a code get it, -max and max the outermost. */
TEST(codes_are_what_they_stand_for)
{
    for_all_bits(bits)
    {
        float x[1 << BIPOLAR_BITS_MOST];
        uint8_t u[1 << BIPOLAR_BITS_MOST];
        for (uint32_t i = 0; i < 1u << bits; i++)
            x[i] = (float)bipolar_from_bits(i, bits) * 0.375f;
        struct bipolar_quantized quantized = bipolar_quantize(x, (size_t)1 << bits, bits, u);
        assert_true(quantized.scale == 0.375f);
        assert_int_equal(quantized.sum, 0);
        for (uint32_t i = 0; i < 1u << bits; i++)
            assert_int_equal(u[i], i);
    }
}

TEST(a_token_of_zeros_has_scale_zero)
{
    float x[K] = {0};
    uint8_t u[K];
    for_all_bits(bits) for (float value = 0; value < BIPOLAR_LEAST; value += BIPOLAR_LEAST / 2)
    {
        x[3] = -value;
        struct bipolar_quantized quantized = bipolar_quantize(x, K, bits, u);
        assert_true(quantized.scale == 0);
        assert_int_equal(quantized.sum, K);
        for (size_t i = 0; i < K; i++)
            assert_int_equal(bipolar_from_bits(u[i], bits), 1);
    }
}

RUN_TESTS(NULL, NULL)
