/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocks of activations against their definition: scale, rounding, sums, the smallest and the largest values.
 */
#include <float.h>
#include <math.h>

#include "micro/families/blocks/q8_avx2.h"
#include "micro/isa/random.h"
#include "unit_test.h"

enum { K = 1024 };

static void require_avx2(void)
{
    skip_if(!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"), "not on this machine: no AVX2");
}

/** One block of n values: scale, q and their sum. */
static void must_be(const float *x, size_t n, const int8_t *q, float scale, int32_t sum)
{
    float most = 0;
    int32_t total = 0;
    for (size_t i = 0; i < n; i++)
        most = fmaxf(most, fabsf(x[i]));
    assert_true(scale == (most < Q8_LEAST ? 0 : most / 127));
    for (size_t i = 0; i < n; i++) {
        total += q[i];
        assert_true(q[i] >= -127);
        if (most >= Q8_LEAST)
            assert_true(fabs((double)q[i] * (double)scale - (double)x[i]) <= Q8_ERROR_BOUND * (double)most);
        else
            assert_int_equal(q[i], 0);
        if (most >= Q8_LEAST && fabsf(x[i]) == most)
            assert_int_equal(q[i], x[i] > 0 ? 127 : -127);
    }
    assert_int_equal(sum, total);
}

static void must_be_blocks(const float *x)
{
    static struct q8_32 small[K / 32];
    static struct q8_256 large[K / 256];
    q8_32_make(x, K, small);
    q8_256_make(x, K, large);
    for (size_t i = 0; i < K; i += 32)
        must_be(x + i, 32, small[i / 32].q, small[i / 32].scale, small[i / 32].sum);
    for (size_t i = 0; i < K; i += 256) {
        const struct q8_256 *block = &large[i / 256];
        must_be(x + i, 256, block->q, block->scale, block->sum);
        for (int j = 0; j < 16; j++) {
            int32_t sum = 0;
            for (int n = 0; n < 16; n++)
                sum += block->q[16 * j + n];
            assert_int_equal(block->sums[j], sum);
        }
    }
    for (size_t i = 0; i < K; i++) {
        assert_true(q8_32_value(small, i) == (double)small[i / 32].q[i % 32] * (double)small[i / 32].scale);
        assert_true(q8_256_value(large, i) == (double)large[i / 256].q[i % 256] * (double)large[i / 256].scale);
    }
}

TEST(blocks_are_their_definition)
{
    require_avx2();
    static float x[K];
    uint64_t random = 1;
    for (int round = 0; round < 200; round++) {
        for (int i = 0; i < K; i++)
            x[i] = random_float(&random) * exp2f((float)(random_bits(&random) % 9) - 4);
        must_be_blocks(x);
    }
}

TEST(extremes_are_their_definition)
{
    require_avx2();
    static const float ends[] = {0, FLT_MAX, -FLT_MAX, Q8_LEAST, 0x1.fffffep-120f, -0x1p-149f, 1, -1};
    static float x[K];
    for (size_t end = 0; end < sizeof ends / sizeof ends[0]; end++) {
        for (size_t place = 0; place < K; place++) {
            for (int i = 0; i < K; i++)
                x[i] = i % 3 ? 0 : ends[end] / 2;
            x[place] = ends[end];
            if (place < 300 || place % 37 == 0)
                must_be_blocks(x);
        }
    }
}

RUN_TESTS(NULL, NULL)
