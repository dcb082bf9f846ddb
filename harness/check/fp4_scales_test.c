/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Scales of MXFP4 and NVFP4 that random matrices do not have, the smallest and the largest: every kernel that runs here makes the numbers of
 * them that they are.
 */
#include <math.h>
#include <string.h>

#include "micro/kernel.h"
#include "platforms/cpu/isa.h"
#include "unit_test.h"

enum { K = 64, MOST_BYTES = 65536 };

static _Alignas(64) uint8_t weights[MOST_BYTES], prepared[MOST_BYTES], scratch[1 << 20];
static _Alignas(64) float x[K], y[16];

/** Where a format, of rows or of sixteen of them interleaved, has what: scales come first. */
struct scales {
    const char *name; /* begins with this */
    size_t block_columns, groups;
    size_t code; /* byte of a row's codes that has column 32 of K */
};

static const struct scales mxfp4 = {"mxfp4", 32, 1, 0}, nvfp4 = {"nvfp4", 64, 4, 16};

static bool runs(const struct kernel *kernel, const struct scales *scales)
{
    struct cpuid_dump dump;
    return strncmp(kernel->format->name, scales->name, strlen(scales->name)) == 0 && cpuid_dump_host(&dump) == 0 &&
           isa_runs(isa_find(kernel->isa), isa_features_of(&dump));
}

/** Code 1, half a scale, in each row's column 32; everything else is 0. */
static void fill(const struct format *format, const struct scales *scales, uint8_t scale)
{
    memset(weights, 0, sizeof weights);
    size_t rows = format->rows_per_panel, blocks = K / scales->block_columns;
    for (size_t block = 0; block < blocks; block++) {
        uint8_t *at = weights + block * format->step_bytes;
        memset(at, scale, rows * scales->groups);
        for (size_t row = 0; block == blocks - 1 && row < rows; row++)
            at[rows * scales->groups + scales->code * rows + 4 * row] = 1;
    }
}

static void multiply(const struct kernel *kernel)
{
    const size_t panel_bytes = format_panel_bytes(kernel->format, K);
    memset(y, 0, sizeof y);
    if (kernel->gemv) {
        assert_true(kernel_prepared_bytes(kernel, K) <= sizeof prepared);
        kernel->prepare(x, K, prepared);
        kernel->gemv(&(struct gemv_slice){.weights = weights,
                                          .panels = 1,
                                          .panel_bytes = panel_bytes,
                                          .steps = K / kernel->format->k_per_step,
                                          .k = K,
                                          .activations_f32 = x,
                                          .prepared = prepared,
                                          .out_f32 = y});
        return;
    }
    assert_true(kernel_gemm_prepared_bytes(kernel, K, 1) <= sizeof prepared);
    assert_true(kernel_gemm_scratch_bytes(kernel, K, 1) <= sizeof scratch);
    kernel->gemm.prepare_many(x, K, K, 1, prepared);
    kernel->gemm.run(&(struct gemm_slice){.weights = weights,
                                          .panels = 1,
                                          .panel_bytes = panel_bytes,
                                          .k = K,
                                          .tokens = 1,
                                          .activations_f32 = x,
                                          .activations_stride = K,
                                          .prepared = prepared,
                                          .out = y,
                                          .out_stride = 16,
                                          .scratch = scratch});
}

/** The row sums of every kernel that runs here are half of this scale. */
static void check(const struct kernel *kernel, const struct scales *scales, uint8_t scale, double value)
{
    fill(kernel->format, scales, scale);
    multiply(kernel);
    for (size_t row = 0; row < kernel->format->rows_per_panel; row++) {
        if (!(fabs((double)y[row] - value / 2) <= 1e-3 * value / 2)) /* its scale over 127 has 14 bits left of 24 */
            fail_msg("%s: scale %d, row %zu is %a, not %a", kernel->name, scale, row, (double)y[row], value / 2);
    }
}

TEST(every_exponent_is_a_power_of_two)
{
    static const uint8_t exponents[] = {0, 1, 2, 3, 4, 126, 127, 128, 254, 255};
    size_t kernels = 0;
    x[32] = 1;
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        if (!runs(*kernel, &mxfp4))
            continue;
        kernels++;
        for (size_t i = 0; i < sizeof exponents / sizeof *exponents; i++)
            check(*kernel, &mxfp4, exponents[i], ldexp(1, exponents[i] - 127));
    }
    skip_if(kernels == 0, "not on this machine: no instruction set of a kernel of MXFP4");
}

/** Of all bytes, bit 7 is no sign. */
TEST(every_byte_is_a_float_of_8_bits)
{
    size_t kernels = 0;
    x[32] = 1;
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        if (!runs(*kernel, &nvfp4))
            continue;
        kernels++;
        for (int byte = 0; byte < 256; byte++) {
            int exponent = byte >> 3 & 15, mantissa = byte & 7;
            double value = exponent ? ldexp(8 + mantissa, exponent - 10) : ldexp(mantissa, -9);
            check(*kernel, &nvfp4, (uint8_t)byte, value);
        }
    }
    skip_if(kernels == 0, "not on this machine: no instruction set of a kernel of NVFP4");
}

RUN_TESTS(NULL, NULL)
