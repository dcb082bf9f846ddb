/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "roofline/gpu.h"
#include "unit_test.h"

static const double gib = 1024.0 * 1024.0 * 1024.0;

/* [envelope, IV-C]: LNL's GPU with its 2 us of launch, and the 53 TFLOPS that its int8 GEMM attains. */
static struct roofline_gpu lnl(void)
{
    return (struct roofline_gpu){97 * gib, 53e12, 2e-6};
}

static struct roofline_gpu_time time_of(int kernel, double m, double k, double tokens)
{
    const struct roofline_gpu gpu = lnl();
    const struct roofline_gpu_product product = {m, k, tokens};
    return roofline_gpu_time(&gpu, &roofline_gpu_kernels[kernel], &product);
}

static void near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.6g is not within %.3g of %.6g", value, tolerance, expected);
}

/* "the ideal pure int2 microkernel time is 6 microseconds", and a launch of 2 */
TEST(a_small_product_takes_its_bytes_and_a_launch)
{
    struct roofline_gpu_time time = time_of(ROOFLINE_GPU_FUSED, 1600, 1600, 1);
    near(time.weight_bytes, 640000, 0);
    near(time.memory_s, (640000 + 2 * 1600 + 2 * 1600) / (97 * gib), 1e-15);
    near(time.memory_s * 1e6, 6.2, 0.05);
    near(time.total_s, time.memory_s + 2e-6, 1e-15);
    near(time.pass_s, 0, 0);
    assert_string_equal(roofline_gpu_binds(&time), "memory");
}

TEST(scales_of_a_kernel_of_their_own_are_a_launch_and_a_pass)
{
    struct roofline_gpu_time fused = time_of(ROOFLINE_GPU_FUSED, 4096, 4096, 1024);
    struct roofline_gpu_time separate = time_of(ROOFLINE_GPU_SEPARATE, 4096, 4096, 1024);
    near(separate.total_s - fused.total_s, 2e-6 + 1024 * 4096 * 2 / (97 * gib), 1e-12);
    assert_string_equal(roofline_gpu_binds(&separate), "matrix units");
    near(fused.matrix_s, 2.0 * 4096 * 4096 * 1024 / 53e12, 1e-12);
    /* "typically in the range of 5-15%", "diminished down to 3%" with larger M: 4096 and 14336 rows of Llama3-8B */
    near(separate.total_s / fused.total_s - 1, 0.13, 0.02);
    near(time_of(ROOFLINE_GPU_SEPARATE, 14336, 4096, 1024).total_s /
                 time_of(ROOFLINE_GPU_FUSED, 14336, 4096, 1024).total_s -
             1,
         0.035, 0.005);
}

TEST(a_gemv_gains_what_is_read_less_but_for_the_launch)
{
    double large =
        time_of(ROOFLINE_GPU_BF16, 14336, 4096, 1).total_s / time_of(ROOFLINE_GPU_FUSED, 14336, 4096, 1).total_s;
    double small =
        time_of(ROOFLINE_GPU_BF16, 1600, 1600, 1).total_s / time_of(ROOFLINE_GPU_FUSED, 1600, 1600, 1).total_s;
    assert_true(large > 7.5 && large < 8);
    assert_true(small > 5 && small < 6.5);
}

TEST(the_ridge_is_where_both_terms_meet)
{
    const struct roofline_gpu gpu = lnl();
    double tokens = roofline_gpu_ridge(&gpu, &roofline_gpu_kernels[ROOFLINE_GPU_FUSED], 4096, 4096);
    assert_true(tokens > 60 && tokens < 120);
    struct roofline_gpu_time at = time_of(ROOFLINE_GPU_FUSED, 4096, 4096, tokens);
    near(at.matrix_s / at.memory_s, 1, 1e-9);
    /* so few rows that results alone keep the memory busy */
    assert_true(isinf(roofline_gpu_ridge(&gpu, &roofline_gpu_kernels[ROOFLINE_GPU_FUSED], 64, 64)));
    assert_true(isnan(roofline_gpu_ridge(&gpu, &roofline_gpu_kernels[ROOFLINE_GPU_BF16], 4096, 4096)));
}

TEST(a_launch_binds_the_smallest)
{
    struct roofline_gpu_time time = time_of(ROOFLINE_GPU_FUSED, 320, 1600, 1);
    assert_string_equal(roofline_gpu_binds(&time), "launch");
}

TEST(what_is_out_of_range_has_no_time)
{
    assert_true(isnan(time_of(ROOFLINE_GPU_FUSED, 0, 1600, 1).total_s));
    assert_true(isnan(time_of(ROOFLINE_GPU_FUSED, 1600, 1600, 0).total_s));
    assert_true(isnan(time_of(ROOFLINE_GPU_BF16, 1600, 1600, 2).total_s)); /* no peak of BF16 is stated */
    const struct roofline_gpu_product product = {1600, 1600, 1};
    struct roofline_gpu gpu = lnl();
    gpu.launch_s = NAN;
    assert_true(isnan(roofline_gpu_time(&gpu, &roofline_gpu_kernels[0], &product).total_s));
    gpu = (struct roofline_gpu){NAN, 53e12, 0};
    assert_true(isnan(roofline_gpu_time(&gpu, &roofline_gpu_kernels[0], &product).total_s));
}

RUN_TESTS(NULL, NULL)
