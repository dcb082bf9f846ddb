/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PLUGINS_LIBXSMM_FORMATS_H
#define PLUGINS_LIBXSMM_FORMATS_H

/**
 * The layouts of weights that libxsmm's products read, as formats: for libxsmm.c alone.
 */
#include <string.h>

#include "micro/isa/half.h"
#include "micro/plugin.h"

/** The sums of a panel's rows, [64], after its weights. */
static size_t sums_at(unsigned bits, size_t k)
{
    return k * 64 * bits / 8;
}

/* Of all columns a and rows m a weight of this many bits has a place: a byte, and bits of it. */

static size_t place_of_int1(uint32_t rows, uint32_t row, uint32_t column, uint32_t *shift) /* [k4][m][4] bits */
{
    *shift = row % 2 * 4 + column % 4;
    return column / 4 * (rows / 2) + row / 2;
}

static size_t place_of_int2(uint32_t rows, uint32_t row, uint32_t column,
                            uint32_t *shift) /* [k4][m / 4][4] bytes of fields m / 4 apart */
{
    *shift = row / (rows / 4) * 2;
    return column / 4 * rows + row % (rows / 4) * 4 + column % 4;
}

static size_t place_of_int4(uint32_t rows, uint32_t row, uint32_t column,
                            uint32_t *shift) /* [k8][m][4] bytes of columns 4 apart */
{
    *shift = column / 4 % 2 * 4;
    return (size_t)(column / 8) * rows * 4 + row * 4 + column % 4;
}

static size_t place_of(unsigned bits, uint32_t rows, uint32_t row, uint32_t column, uint32_t *shift)
{
    return (bits == 1 ? place_of_int1 : bits == 2 ? place_of_int2 : place_of_int4)(rows, row, column, shift);
}

/** 1 bit: 0 is +1, 1 is -1. 2 bits: 0, 1 and, for -1, 2. 4 bits: w + 8. */
static uint32_t code_of(unsigned bits, int32_t w)
{
    return bits == 1 ? w < 0 : bits == 2 ? (w < 0 ? 2 : (uint32_t)w) : (uint32_t)(w + 8);
}

static int32_t weight_of(unsigned bits, uint32_t code)
{
    return bits == 1 ? 1 - 2 * (int32_t)code : bits == 2 ? (code >= 2 ? -1 : (int32_t)code) : (int32_t)code - 8;
}

static void store(unsigned bits, uint32_t rows, uint8_t *panel, uint32_t row, uint32_t column, int32_t w)
{
    uint32_t shift, mask = (1U << bits) - 1;
    uint8_t *byte = &panel[place_of(bits, rows, row, column, &shift)];
    *byte = (uint8_t)((*byte & ~(mask << shift)) | code_of(bits, w) << shift);
}

static int32_t load(unsigned bits, uint32_t rows, const uint8_t *panel, uint32_t row, uint32_t column)
{
    uint32_t shift;
    size_t place = place_of(bits, rows, row, column, &shift);
    return weight_of(bits, panel[place] >> shift & ((1U << bits) - 1));
}

static void store_sums(unsigned bits, size_t k, uint8_t *panel)
{
    int32_t sums[64] = {0};
    for (uint32_t row = 0; row < 64; row++) {
        for (uint32_t column = 0; column < k; column++)
            sums[row] += load(bits, 64, panel, row, column);
    }
    memcpy(panel + sums_at(bits, k), sums, sizeof sums);
}

/** The nearest weight that there is. */
static int32_t nearest(unsigned bits, float w)
{
    int32_t least = bits == 4 ? -8 : -1, most = bits == 4 ? 7 : 1;
    if (bits == 1)
        return w < 0 ? -1 : 1;
    int32_t rounded = (int32_t)(w < 0 ? w - 0.5F : w + 0.5F);
    return rounded < least ? least : rounded > most ? most : rounded;
}

static void pack_m64(unsigned bits, const float *w, size_t k, uint8_t *panel)
{
    for (uint32_t row = 0; row < 64; row++) {
        for (uint32_t column = 0; column < k; column++)
            store(bits, 64, panel, row, column, nearest(bits, w[row * k + column]));
    }
    store_sums(bits, k, panel);
}

static void row_weights_m64(unsigned bits, const uint8_t *panel, size_t k, uint32_t row, double *weights)
{
    for (uint32_t column = 0; column < k; column++)
        weights[column] = load(bits, 64, panel, row, column);
}

static uint32_t next_random(uint64_t *random)
{
    *random = *random * 6364136223846793005U + 1442695040888963407U;
    return (uint32_t)(*random >> 32);
}

/** Ternary weights equally often: four of a byte are one of 81. */
static uint8_t four_ternary(uint64_t *random)
{
    static const uint8_t code[] = {0, 1, 2};
    uint32_t four = (uint32_t)((uint64_t)next_random(random) * 81 >> 32);
    return (uint8_t)(code[four % 3] | code[four / 3 % 3] << 2 | code[four / 9 % 3] << 4 | code[four / 27] << 6);
}

static void fill_codes(unsigned bits, uint8_t *panel, size_t bytes, uint64_t *random)
{
    for (size_t i = 0; i < bytes; i++)
        panel[i] = bits == 2 ? four_ternary(random) : (uint8_t)next_random(random);
}

static void fill_m64(unsigned bits, uint8_t *panel, size_t k, uint64_t *random)
{
    fill_codes(bits, panel, sums_at(bits, k), random);
    store_sums(bits, k, panel);
}

#define M64_FORMAT(b, least, most, ...)                                                                                \
    static size_t panel_bytes_##b(size_t k)                                                                            \
    {                                                                                                                  \
        return sums_at(b, k) + 64 * sizeof(int32_t);                                                                   \
    }                                                                                                                  \
    static void pack_##b(const float *w, size_t k, uint8_t *panel)                                                     \
    {                                                                                                                  \
        pack_m64(b, w, k, panel);                                                                                      \
    }                                                                                                                  \
    static void row_weights_##b(const uint8_t *panel, size_t k, uint32_t row, double *weights)                         \
    {                                                                                                                  \
        row_weights_m64(b, panel, k, row, weights);                                                                    \
    }                                                                                                                  \
    static double weight_##b(const uint8_t *panel, size_t k, uint32_t row, uint32_t column)                            \
    {                                                                                                                  \
        (void)k;                                                                                                       \
        return load(b, 64, panel, row, column);                                                                        \
    }                                                                                                                  \
    static void fill_##b(uint8_t *panel, size_t k, uint64_t *random)                                                   \
    {                                                                                                                  \
        fill_m64(b, panel, k, random);                                                                                 \
    }                                                                                                                  \
    static const struct format int##b##_xsmm_m64 = {.name = "int" #b "_xsmm_m64",                                      \
                                                    .bits = b,                                                         \
                                                    .rows_per_panel = 64,                                              \
                                                    .k_per_step = 64,                                                  \
                                                    .weight_min = least,                                               \
                                                    .weight_max = most,                                                \
                                                    .max_k = INT32_MAX / (8 * 255),                                    \
                                                    .panel_bytes = panel_bytes_##b,                                    \
                                                    .pack = pack_##b,                                                  \
                                                    .weight = weight_##b,                                              \
                                                    .row_weights = row_weights_##b,                                    \
                                                    .fill = fill_##b,                                                  \
                                                    __VA_ARGS__};
static const int32_t signs[] = {-1, 1};
M64_FORMAT(1, -1, 1, .values = signs, .value_count = 2, .k_multiple = 64)
M64_FORMAT(2, -1, 1)
M64_FORMAT(4, -8, 7)

static void put_int2(uint8_t *panel, uint32_t row, uint32_t column, int32_t w)
{
    store(2, 32, panel, row, column, w);
}

static int32_t get_int2(const uint8_t *panel, uint32_t row, uint32_t column)
{
    return load(2, 32, panel, row, column);
}

static void fill_int2(uint8_t *panel, size_t k, uint64_t *random)
{
    fill_codes(2, panel, k * 32 / 4, random);
}

static const struct format int2_xsmm_m32 = {
    .name = "int2_xsmm_m32",
    .bits = 2,
    .rows_per_panel = 32,
    .k_per_step = 8,
    .step_bytes = 64,
    .weight_min = -1,
    .weight_max = 1,
    .max_k = 1 << 20,
    .put = put_int2,
    .get = get_int2,
    .fill = fill_int2,
};
static const struct format int1_vnni4 = {.name = "int1_vnni4"}, int8_vnni4 = {.name = "int8_vnni4"};

/* ---- bf16: [k2][m][2] ---- */

enum { BF16_STEP = 32, F32_STEP = 16 };

static size_t bf16_place(size_t row, size_t column)
{
    return column / 2 * 64 + row * 2 + column % 2;
}

static uint16_t half_at(const void *halves, size_t i)
{
    uint16_t half;
    memcpy(&half, (const uint8_t *)halves + i * sizeof half, sizeof half);
    return half;
}

static void pack_bf16(const float *w, size_t k, uint8_t *panel)
{
    for (size_t i = 0; i < 32 * k; i++) {
        uint16_t half = bfloat_from_float(w[i]);
        memcpy(panel + bf16_place(i / k, i % k) * sizeof half, &half, sizeof half);
    }
}

static double weight_bf16(const uint8_t *panel, size_t k, uint32_t row, uint32_t column)
{
    (void)k;
    return (double)bfloat_to_float(half_at(panel, bf16_place(row, column)));
}

/** In -1 to 1. */
static float some_weight(uint64_t *random)
{
    return (float)((double)(int32_t)next_random(random) * 0x1p-31);
}

static void fill_bf16(uint8_t *panel, size_t k, uint64_t *random)
{
    for (size_t i = 0; i < 32 * k; i++) {
        uint16_t half = bfloat_from_float(some_weight(random));
        memcpy(panel + i * sizeof half, &half, sizeof half);
    }
}

static const struct format bf16_vnni2 = {
    .name = "bf16_vnni2",
    .bits = 16,
    .rows_per_panel = 32,
    .k_per_step = BF16_STEP,
    .step_bytes = BF16_STEP * 32 * sizeof(uint16_t),
    .max_k = 1 << 20,
    .pack = pack_bf16,
    .weight = weight_bf16,
    .fill = fill_bf16,
};

/* ---- f32: [k][m] ---- */

static void pack_f32(const float *w, size_t k, uint8_t *panel)
{
    for (size_t i = 0; i < 32 * k; i++)
        memcpy(panel + (i % k * 32 + i / k) * sizeof(float), &w[i], sizeof(float));
}

static double weight_f32(const uint8_t *panel, size_t k, uint32_t row, uint32_t column)
{
    (void)k;
    float w;
    memcpy(&w, panel + ((size_t)column * 32 + row) * sizeof w, sizeof w);
    return (double)w;
}

static void fill_f32(uint8_t *panel, size_t k, uint64_t *random)
{
    for (size_t i = 0; i < 32 * k; i++) {
        float w = some_weight(random);
        memcpy(panel + i * sizeof w, &w, sizeof w);
    }
}

static const struct format f32_columns = {
    .name = "f32_columns",
    .bits = 32,
    .rows_per_panel = 32,
    .k_per_step = F32_STEP,
    .step_bytes = F32_STEP * 32 * sizeof(float),
    .max_k = 1 << 20,
    .pack = pack_f32,
    .weight = weight_f32,
    .fill = fill_f32,
};

#endif
