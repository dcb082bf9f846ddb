/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From a matrix through its quantizer into the panels of mixed24 and its formats with outliers: their weight() is what was quantized, column by
 * column of the order, and padding is zero.
 */
#include <stdlib.h>
#include <string.h>

#include "micro/isa/random.h"
#include "micro/kernel.h"
#include "micro/quantization/mixed_pack_testing.h"
#include "unit_test.h"

struct packed {
    struct mixed_matrix matrix;
    uint16_t *order;
    uint8_t *panels;
};

/** Random weights, with one in 50 large, and activations. */
static void quantize(size_t m, size_t k, const struct mixed_options *options, struct mixed_matrix *matrix)
{
    uint64_t random = m + k;
    const size_t tokens = 2 * k;
    float *w = malloc(m * k * sizeof *w), *x = malloc(tokens * k * sizeof *x);
    struct calibration calibration;
    for (size_t i = 0; i < m * k; i++)
        w[i] = random_float(&random) * (random_bits(&random) % 50 ? 0.02f : 0.2f);
    for (size_t i = 0; i < tokens * k; i++)
        x[i] = random_float(&random) + (i % k ? 0.5f * x[i - 1] : 0);
    assert_int_equal(calibrate(x, tokens, k, &calibration), 0);
    assert_int_equal(mixed_quantize(w, m, k, &calibration, options, matrix), 0);
    calibration_free(&calibration);
    free(w);
    free(x);
}

static void pack(const char *format, uint32_t per_mille, struct packed *packed)
{
    const struct format *of = format_find(format);
    const size_t bytes = format_packed_bytes(of, packed->matrix.m, packed->matrix.k);
    packed->order = malloc(mixed_pack_groups(&packed->matrix) * sizeof *packed->order);
    packed->panels = aligned_alloc(64, (bytes + 63) / 64 * 64);
    memset(packed->panels, 0xaa, bytes);
    mixed_pack(&packed->matrix, per_mille, packed->order, packed->panels);
}

static void release(struct packed *packed)
{
    mixed_free(&packed->matrix);
    free(packed->order);
    free(packed->panels);
}

/** Every place of every panel. */
static void compare(const char *name, const struct packed *packed)
{
    const struct format *format = format_find(name);
    const size_t m = packed->matrix.m, k = packed->matrix.k, columns = format_columns(format, k);
    float *decoded = malloc(m * k * sizeof *decoded);
    mixed_decode(&packed->matrix, decoded);
    for (size_t r = 0; r < format_panels(format, m) * 16; r++) {
        const uint8_t *panel = packed->panels + r / 16 * format_panel_bytes(format, k);
        for (size_t c = 0; c < columns; c++) {
            const size_t column = (size_t)packed->order[c / 16] * 16 + c % 16;
            const float expected = r < m && column < k ? decoded[r * k + column] : 0;
            assert_true((float)format_weight(format, panel, k, (uint32_t)(r % 16), (uint32_t)c) == expected);
        }
    }
    free(decoded);
}

TEST(panels_hold_what_was_quantized)
{
    static const size_t shapes[][2] = {{16, 64}, {32, 256}, {19, 80}, {1, 16}, {5, 208}};
    static const struct {
        const char *name;
        uint32_t per_mille;
    } formats[] = {{"mixed24", 0}, {"mixed24_o02", 2}, {"mixed24_o05", 5}, {"mixed24_o15", 15}, {"mixed24_o30", 30}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
            const struct mixed_options options = {0.25, formats[f].per_mille / 1000., MIXED_OUTLIERS_OF_2_BITS, f % 2};
            struct packed packed;
            quantize(shapes[s][0], shapes[s][1], &options, &packed.matrix);
            assert_int_equal(packed.matrix.outlier_end[shapes[s][0] - 1] > 0, f > 0 && shapes[s][1] > 16);
            pack(formats[f].name, formats[f].per_mille, &packed);
            compare(formats[f].name, &packed);
            release(&packed);
        }
    }
}

RUN_TESTS(NULL, NULL)
