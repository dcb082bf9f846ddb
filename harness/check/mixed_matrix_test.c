/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A matrix through all of it: calibrated, quantized in 2, 4 and 16 bits, packed, and multiplied by every kernel of mixed24, mixed24_rows and the formats
 * with outliers that runs here, with the activations in the order that it is stored in. What comes of it is the product of the weights that the
 * quantizer says it stands for.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "micro/isa/random.h"
#include "micro/kernel.h"
#include "micro/quantization/column_order.h"
#include "micro/quantization/mixed24_rows.h"
#include "micro/quantization/mixed_pack_testing.h"
#include "platforms/cpu/isa.h"
#include "unit_test.h"

enum { M = 48, K = 272, PADDED = 320, PANELS = M / 16 };

static float w[M * K], q[M * K], x[2 * K * K];
static _Alignas(64) float given[PADDED], ordered[PADDED];
static _Alignas(64) float y[M];

static const struct {
    const char *name;
    uint32_t per_mille;
} formats[] = {{"mixed24", 0}, {"mixed24_o02", 2}, {"mixed24_o05", 5}, {"mixed24_o15", 15}, {"mixed24_o30", 30}};

static bool runs(const struct kernel *kernel, const struct format *format)
{
    struct cpuid_dump dump;
    return kernel->format == format && kernel->gemv && kernel->takes == KERNEL_TAKES_F32 &&
           kernel->gives == KERNEL_GIVES_F32 && cpuid_dump_host(&dump) == 0 &&
           isa_runs(isa_find(kernel->isa), isa_features_of(&dump));
}

/** 64-byte aligned, of at least `bytes`. */
static void *aligned(size_t bytes)
{
    void *memory = aligned_alloc(64, (bytes + 127) / 64 * 64);
    assert_non_null(memory);
    return memory;
}

static void draw(void)
{
    uint64_t random = 1;
    for (size_t i = 0; i < M * K; i++)
        w[i] = random_float(&random) * (random_bits(&random) % 50 ? 0.02f : 0.2f);
    for (size_t i = 0; i < 2 * K * K; i++)
        x[i] = random_float(&random) * (1 + (float)(i % K % 32));
    for (size_t c = 0; c < K; c++)
        given[c] = x[c];
}

static void check(const struct kernel *kernel, const uint8_t *panels, const uint16_t *order)
{
    void *prepared = aligned(kernel_prepared_bytes(kernel, K));
    const size_t panel_bytes = format_panel_bytes(kernel->format, K);
    double x_most = 0, w_most = 0;
    column_order_prepare(kernel, given, PADDED, order, ordered, prepared);
    const struct gemv_slice slice = {
        .weights = panels,
        .panels = PANELS,
        .panel_bytes = panel_bytes,
        .steps = PADDED / 64,
        .k = PADDED,
        .activations_f32 = ordered,
        .prepared = kernel->prepare ? prepared : NULL,
        .out_f32 = y,
    };
    kernel->gemv(&slice);
    for (size_t i = 0; i < M * K; i++) {
        w_most = fmax(w_most, fabs((double)q[i]));
        x_most = fmax(x_most, fabs((double)given[i % K]));
    }
    for (size_t r = 0; r < M; r++) {
        double product = 0, magnitude = 0;
        for (size_t c = 0; c < K; c++) {
            product += (double)q[r * K + c] * (double)given[c];
            magnitude += fabs((double)q[r * K + c] * (double)given[c]);
        }
        const double may = kernel->error_bound * x_most * w_most * K + (K / 8. + 16) * 0x1p-24 * magnitude;
        if (!(fabs((double)y[r] - product) <= may))
            fail_msg("%s: row %zu is %g, not %g", kernel->name, r, (double)y[r], product);
        assert_true(may < magnitude); /* says something */
    }
    free(prepared);
}

static void check_all(const struct format *format, const uint8_t *panels, const uint16_t *order)
{
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        if (runs(*kernel, format))
            check(*kernel, panels, order);
    }
}

/** The same steps in the paper's order. */
static void check_rows(const uint8_t *panels, const uint16_t *order)
{
    const struct format *format = format_find("mixed24_rows");
    const size_t panel_bytes = format_panel_bytes(format, K);
    uint8_t *rows = aligned(format_packed_bytes(format, M, K));
    for (size_t i = 0; i < PANELS * PADDED / 64; i++) {
        struct mixed24_step step;
        mixed24_get_step(panels + i * MIXED24_STEP_BYTES, &step);
        mixed24_rows_put_step(&step, i % (PADDED / 64), PADDED, rows + i / (PADDED / 64) * panel_bytes);
    }
    check_all(format, rows, order);
    free(rows);
}

TEST(kernels_multiply_what_was_quantized)
{
    struct calibration calibration;
    draw();
    assert_int_equal(calibrate(x, 2 * K, K, &calibration), 0);
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        const struct mixed_options options = {0.25, formats[f].per_mille / 1000., MIXED_OUTLIERS_OF_2_BITS, true};
        const struct format *format = format_find(formats[f].name);
        uint8_t *panels = aligned(format_packed_bytes(format, M, K));
        uint16_t order[PADDED / 16];
        struct mixed_matrix matrix;
        assert_int_equal(mixed_quantize(w, M, K, &calibration, &options, &matrix), 0);
        assert_int_equal(mixed_pack_groups(&matrix), column_order_groups(format, K));
        mixed_pack(&matrix, formats[f].per_mille, order, panels);
        mixed_decode(&matrix, q);
        check_all(format, panels, order);
        if (!formats[f].per_mille)
            check_rows(panels, order);
        mixed_free(&matrix);
        free(panels);
    }
    calibration_free(&calibration);
}

RUN_TESTS(NULL, NULL)
