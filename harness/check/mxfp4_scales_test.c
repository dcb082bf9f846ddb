/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Scales of MXFP4 that random matrices do not have, the smallest and the largest: every kernel that runs here makes powers of two of
 * them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "micro/kernel.h"
#include "platforms/isa.h"

enum { K = 64, MOST_BYTES = 65536 };

static _Alignas(64) uint8_t weights[MOST_BYTES], prepared[MOST_BYTES], scratch[1 << 20];
static _Alignas(64) float x[K], y[16];

static bool runs(const struct kernel *kernel)
{
    struct cpuid_dump dump;
    return strncmp(kernel->format->name, "mxfp4", 5) == 0 && cpuid_dump_host(&dump) == 0 &&
           isa_runs(isa_find(kernel->isa), isa_features_of(&dump));
}

/** Code 1, half a scale, in each row's first column of its second block; everything else is 0. */
static void fill(const struct format *format, int exponent)
{
    memset(weights, 0, sizeof weights);
    size_t rows = format->rows_per_panel;
    for (size_t block = 0; block < K / 32; block++) {
        uint8_t *at = weights + block * format->step_bytes;
        memset(at, exponent, rows); /* of a row as of sixteen, exponents come first */
        for (size_t row = 0; block == 1 && row < rows; row++)
            at[rows + 4 * row] = 1;
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
                                          .steps = K / 32,
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

static void every_exponent_is_a_power_of_two(void **state)
{
    (void)state;
    static const int exponents[] = {0, 1, 2, 3, 4, 126, 127, 128, 254, 255};
    size_t kernels = 0;
    x[32] = 1;
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        if (!runs(*kernel))
            continue;
        kernels++;
        for (size_t i = 0; i < sizeof exponents / sizeof *exponents; i++) {
            fill((*kernel)->format, exponents[i]);
            multiply(*kernel);
            const double wanted = ldexp(1, exponents[i] - 128);
            for (size_t row = 0; row < (*kernel)->format->rows_per_panel; row++) {
                if (!(fabs((double)y[row] - wanted) <= 1e-3 * wanted)) /* its scale over 127 has 14 bits left of 24 */
                    fail_msg("%s: exponent %d, row %zu is %a", (*kernel)->name, exponents[i], row, (double)y[row]);
            }
        }
    }
    if (kernels == 0) {
        print_message("# not on this machine: no instruction set of a kernel of MXFP4\n");
        skip();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_exponent_is_a_power_of_two)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
