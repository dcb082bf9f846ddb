/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Kernels of bit planes give s_x times the exact product of bipolar integers, bit for bit: as bipolar_quantize() and bipolar_product()
 * say it, for odd numbers of columns, tokens that end in zeros or are nothing else, and activations at the ends of their range.
 */
#include "harness/check/item_tests.h"
#include "micro/isa/random.h"
#include "micro/kernel.h"
#include "micro/quantization/bipolar_testing.h"

#include <string.h>

enum { PANELS = 3, TOKENS = 11, ROWS_MOST = 64, K_MOST = 4161 };

/** Bits of weights and activations by the kernel's name, "w2.a4_…" or "w2_planes.a4_…"; false of any other. */
static bool bits_of(const struct kernel *kernel, uint32_t *weight_bits, uint32_t *bits)
{
    int end = 0;
    return (sscanf(kernel->name, "w%1u.a%1u_%n", weight_bits, bits, &end) == 2 && end) ||
           (sscanf(kernel->name, "w%1u_planes.a%1u_%n", weight_bits, bits, &end) == 2 && end);
}

/** Most random; some end in zeros, one is zero, one is of the largest alone, in runs. */
static void draw_token(float *x, size_t k, size_t token, uint64_t *random)
{
    for (size_t i = 0; i < k; i++) {
        float value = (float)(int64_t)(random_bits(random) >> 40) * 0x1p-23f - 1;
        x[i] = token == 2 ? 0 : token == 3 ? (i / 5 % 2 ? -3.5f : 3.5f) : value;
    }
    for (size_t i = token % 4 == 1 ? k / 2 : k; i < k; i++)
        x[i] = i % 2 ? 0.0f : -0.0f;
}

/** What the definition makes of one token: out[rows]. */
static void expect(const struct format *format, const uint8_t *packed, size_t k, uint32_t weight_bits, uint32_t bits,
                   const float *x, float *out)
{
    static uint8_t u[K_MOST], w[K_MOST];
    size_t columns = k;
    while (columns && x[columns - 1] == 0)
        columns--;
    struct bipolar_quantized quantized = bipolar_quantize(x, columns, bits, u);
    for (size_t row = 0; row < PANELS * format->rows_per_panel; row++) {
        const uint8_t *panel = packed + row / format->rows_per_panel * format_panel_bytes(format, k);
        for (uint32_t column = 0; column < columns; column++)
            w[column] = (uint8_t)bipolar_to_bits(
                (int32_t)format_weight(format, panel, k, (uint32_t)row % format->rows_per_panel, column), weight_bits);
        out[row] = quantized.scale * (float)bipolar_product(w, weight_bits, u, bits, columns);
    }
}

static void must_equal(const struct kernel *kernel, const float *got, const float *expected, size_t rows, size_t k,
                       size_t token, const char *what)
{
    for (size_t row = 0; row < rows; row++) {
        if (got[row] != expected[row])
            fail_msg("%s, %s, K = %zu, token %zu, row %zu: %.9g, not %.9g", kernel->name, what, k, token, row,
                     (double)got[row], (double)expected[row]);
    }
}

/** Operands of one K. */
struct operands {
    size_t k, stride, panel_bytes;
    uint8_t *packed, *one, *many, *scratch;
    float *x, *expected, *got;
};

static void *lines(size_t bytes)
{
    void *at = aligned_alloc(64, (bytes + 127) / 64 * 64);
    assert_non_null(at);
    memset(at, 0, (bytes + 127) / 64 * 64);
    return at;
}

static void gemv_must_be_right(const struct kernel *kernel, const struct operands *of)
{
    size_t rows = PANELS * kernel->format->rows_per_panel, columns = format_columns(kernel->format, of->k);
    for (size_t token = 0; kernel->gemv && token < TOKENS; token++) {
        kernel->prepare(of->x + token * of->stride, columns, of->one);
        const struct gemv_slice slice = {
            .weights = of->packed,
            .panels = PANELS,
            .panel_bytes = of->panel_bytes,
            .steps = columns / kernel->format->k_per_step,
            .k = columns,
            .activations_f32 = of->x + token * of->stride,
            .prepared = of->one,
            .out_f32 = of->got,
        };
        kernel->gemv(&slice);
        must_equal(kernel, of->got, of->expected + token * ROWS_MOST, rows, of->k, token, "gemv");
    }
}

static void gemm_must_be_right(const struct kernel *kernel, const struct operands *of, size_t tokens)
{
    size_t columns = format_columns(kernel->format, of->k), group = kernel->gemm.tokens_per_group;
    size_t rows = PANELS * kernel->format->rows_per_panel;
    for (size_t token = 0; token < tokens; token += group)
        kernel->gemm.prepare_many(of->x + token * of->stride, of->stride, columns,
                                  tokens - token < group ? tokens - token : group,
                                  of->many + token / group * kernel->gemm.prepared_bytes(columns));
    const struct gemm_slice slice = {
        .weights = of->packed,
        .panels = PANELS,
        .panel_bytes = of->panel_bytes,
        .k = columns,
        .tokens = tokens,
        .activations_f32 = of->x,
        .activations_stride = of->stride,
        .prepared = of->many,
        .out = of->got,
        .out_stride = ROWS_MOST,
        .scratch = of->scratch,
        .prefetch_bytes = kernel->prefetch_bytes,
    };
    kernel->gemm.run(&slice);
    for (size_t token = 0; token < tokens; token++)
        must_equal(kernel, of->got + token * ROWS_MOST, of->expected + token * ROWS_MOST, rows, of->k, token, "gemm");
}

static void is_exact(void **state)
{
    const struct kernel *kernel = *state;
    static const size_t k_tried[] = {1, 63, 64, 65, 191, 1037, 4161};
    const struct format *format = kernel->format;
    uint32_t weight_bits, bits;
    uint64_t random = 1;
    require_isa(kernel->isa);
    assert_true(bits_of(kernel, &weight_bits, &bits));
    assert_int_equal(format->weight_max, bipolar_most(weight_bits));
    /* the integer of the largest K fits */
    assert_true((int64_t)format->max_k * bipolar_most(weight_bits) * bipolar_most(bits) <= INT32_MAX);
    assert_true(PANELS * format->rows_per_panel <= ROWS_MOST);
    for (size_t i = 0; i < sizeof k_tried / sizeof *k_tried; i++) {
        size_t k = k_tried[i], columns = format_columns(format, k), stride = (columns + 15) / 16 * 16;
        struct operands of = {
            .k = k,
            .stride = stride,
            .panel_bytes = format_panel_bytes(format, k),
            .packed = lines(format_packed_bytes(format, PANELS * format->rows_per_panel, k)),
            .one = lines(kernel_prepared_bytes(kernel, k)),
            .many = lines(kernel_gemm_prepared_bytes(kernel, k, TOKENS)),
            .scratch = lines(kernel_gemm_scratch_bytes(kernel, k, TOKENS)),
            .x = lines(TOKENS * stride * sizeof(float)),
            .expected = lines(TOKENS * ROWS_MOST * sizeof(float)),
            .got = lines(TOKENS * ROWS_MOST * sizeof(float)),
        };
        format_fill(format, of.packed, PANELS * (format_is_uniform(format) ? format_steps(format, k) : 1), k, &random);
        for (size_t token = 0; token < TOKENS; token++) {
            draw_token(of.x + token * stride, k, token, &random);
            expect(format, of.packed, k, weight_bits, bits, of.x + token * stride, of.expected + token * ROWS_MOST);
        }
        gemv_must_be_right(kernel, &of);
        for (size_t tokens = 1; kernel->gemm.run && tokens <= TOKENS; tokens += 5)
            gemm_must_be_right(kernel, &of, tokens);
        void *const all[] = {of.packed, of.one, of.many, of.scratch, of.x, of.expected, of.got};
        for (size_t n = 0; n < sizeof all / sizeof *all; n++)
            free(all[n]);
    }
}

int main(void)
{
    static struct item_tests suite;
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        uint32_t weight_bits, bits;
        if (bits_of(*kernel, &weight_bits, &bits))
            item_tests_add(&suite, (*kernel)->name, "is exact", is_exact, *kernel);
    }
    return item_tests_run("bit-serial kernels", &suite);
}
