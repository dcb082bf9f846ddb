/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Steps of mixed24: bytes as drawn in micro/formats/mixed24/format.c, nothing lost on the way there and back, and codes and scales as near as
 * their bits allow.
 */
#include "micro/quantization/mixed24.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "micro/isa/half.h"
#include "micro/isa/random.h"
#include "micro/kernel.h"
#include "unit_test.h"

enum { ROWS = MIXED24_ROWS, COLUMNS = MIXED24_COLUMNS, BYTES = MIXED24_STEP_BYTES };

/** Each field of a step that is zero otherwise, and the two bytes where the drawing has its bits. */
TEST(fields_lie_where_they_are_drawn)
{
    static struct mixed24_step step;
    const struct {
        void *field;
        uint16_t value, bytes; /* bytes: of the field */
        uint32_t place;
        uint8_t low, high; /* at place, and at the byte after it */
    } fields[] = {
        {&step.code[5][0], 3, 1, 20, 0x03, 0},     /* group 0, byte 4 * 5 */
        {&step.code[5][7], 3, 1, 23, 0x0c, 0},     /* 4 p + b = 7: p = 1, b = 3 */
        {&step.code[15][17], 2, 1, 125, 0x02, 0},  /* group 1 from 64 on */
        {&step.code[0][47], 3, 1, 131, 0xc0, 0},   /* the last of group 2: p = 3, b = 3 */
        {&step.code[2][48], 15, 1, 200, 0x0f, 0},  /* register 0, low nibbles: columns 0 … 3 of group 3 */
        {&step.code[2][52], 15, 1, 200, 0xf0, 0},  /* high ones: 4 … 7 */
        {&step.code[9][59], 9, 1, 295, 0x09, 0},   /* register 1, low: 8 … 11 */
        {&step.code[15][63], 15, 1, 319, 0xf0, 0}, /* and the last */
        {&step.zero[0][0], 3, 1, 320, 0x03, 0},        {&step.zero[1][3], 3, 1, 326, 0x0c, 0},
        {&step.zero[2][3], 3, 1, 326, 0x30, 0},        {&step.scale[0][3], 15, 1, 326, 0xc0, 0x03},
        {&step.scale[1][15], 7, 1, 350, 0, 0x1c},      {&step.scale[2][15], 7, 1, 350, 0, 0xe0},
        {&step.scale2[0], 0x1234, 2, 352, 0x34, 0x12}, {&step.scale2[3], 0x3c01, 2, 358, 0x01, 0x3c},
        {&step.zero2[0], 0x90, 1, 360, 0x90, 0}, /* -112 */
        {&step.zero2[2], 15, 1, 362, 15, 0},
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        uint8_t bytes[BYTES], expected[BYTES] = {0};
        memset(&step, 0, sizeof step);
        memcpy(fields[i].field, &fields[i].value, fields[i].bytes);
        memset(bytes, 0xff, sizeof bytes);
        mixed24_put_step(&step, bytes);
        expected[fields[i].place] = fields[i].low;
        expected[fields[i].place + 1] = fields[i].high;
        if (memcmp(bytes, expected, BYTES) != 0)
            fail_msg("field %zu is not at byte %u", i, fields[i].place);
    }
}

/** w = scale2 (scale - zero2) (code - zero), computed by hand from bytes set by hand. */
TEST(weights_are_what_the_equation_says)
{
    uint8_t bytes[BYTES] = {0};
    bytes[64 + 4 * 6 + 1] = 2 << 4;       /* row 6, group 1, column 4 * 2 + 1 = 9: code 2 */
    bytes[320 + 12] = 3 << 2;             /* zero of group 1: 3 */
    bytes[320 + 13] = 5 << 2;             /* scale of group 1: 5 */
    bytes[355] = 0x38;                    /* scale2 of group 1: 0.5 */
    bytes[361] = (uint8_t)-10;            /* zero2 */
    bytes[256 + 4 * 11 + 2] = 0xd0;       /* row 11, register 1, column 8 + 4 + 2 = 14 of group 3: code 13 */
    bytes[358] = 0x00, bytes[359] = 0xb4; /* scale2 of group 3: -0.25 */
    bytes[363] = 6;                       /* zero2 */
    assert_true(mixed24_weight_at(bytes, 6, 25) == 0.5 * (5 + 10) * (2 - 3));
    assert_true(mixed24_weight_at(bytes, 6, 24) == 0.5 * (5 + 10) * (0 - 3));
    assert_true(mixed24_weight_at(bytes, 7, 25) == 0.5 * (0 + 10) * 0);
    assert_true(mixed24_weight_at(bytes, 11, 62) == -0.25 * (13 - 6));
    assert_true(mixed24_weight_at(bytes, 10, 62) == -0.25 * (0 - 6));
    assert_true(mixed24_weight_at(bytes, 6, 0) == 0);
    struct mixed24_step step;
    mixed24_get_step(bytes, &step);
    assert_true(mixed24_scale(&step, 1, 6) == 7.5 && mixed24_zero(&step, 1, 6) == 3);
    assert_true(mixed24_scale(&step, 3, 0) == -0.25 && mixed24_zero(&step, 3, 15) == 6);
}

/** Every one of the 2912 bits is in the step that is read, and there once. */
TEST(no_bit_is_lost)
{
    uint64_t random = 1;
    for (uint32_t round = 0; round < 8 * BYTES; round++) {
        uint8_t bytes[BYTES], again[BYTES];
        struct mixed24_step step;
        if (round % 2)
            random_bytes(bytes, BYTES, &random);
        else
            memset(bytes, 0, BYTES);
        bytes[round / 8] ^= (uint8_t)(1u << round % 8);
        mixed24_get_step(bytes, &step);
        mixed24_put_step(&step, again);
        assert_memory_equal(bytes, again, BYTES);
    }
}

TEST(a_step_and_its_bytes_have_the_same_weights)
{
    uint64_t random = 2;
    for (uint32_t round = 0; round < 32; round++) {
        uint8_t bytes[BYTES];
        struct mixed24_step step;
        mixed24_fill_step(bytes, &random);
        mixed24_get_step(bytes, &step);
        for (uint32_t group = 0; group < MIXED24_GROUPS; group++)
            assert_in_range(step.zero2[group] + 112, group == 3 ? 112 : 0, 127);
        for (uint32_t i = 0; i < ROWS * COLUMNS; i++)
            assert_true(mixed24_weight(&step, i / COLUMNS, i % COLUMNS) ==
                        mixed24_weight_at(bytes, i / COLUMNS, i % COLUMNS));
    }
}

/** 364 bytes for 1024 weights [2.84]. */
TEST(bits_are_of_the_bytes)
{
    const struct format *format = format_find("mixed24");
    assert_non_null(format);
    assert_true(format->bits == 2.84375 && format_bits_per_weight(format, 4096, 4096) == 2.84375);
    assert_int_equal(format_packed_bytes(format, 16, 64), 364);
    assert_int_equal(format_packed_bytes(format, 17, 65), 4 * 364);
}

TEST(a_range_includes_zero)
{
    static const struct {
        float w[4];
        uint32_t bits;
        float scale;
        int32_t zero;
    } cases[] = {
        {{-1, 2, 0, 1}, 2, 1, 1},     {{1, 2, 3, 1.5f}, 2, 1, 0}, {{-3, -1, -2, -3}, 2, 1, 3},
        {{0, 0, 0, 0}, 2, 0, 0},      {{-5, 10, 0, 10}, 4, 1, 5}, {{-0.4f, 2.6f, 0, 0}, 2, 1, 0},
        {{-30, -1, -2, 0}, 4, 2, 15}, {{0, 0, 0, 0}, 4, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        float scale;
        int32_t zero;
        mixed24_range(cases[i].w, 4, cases[i].bits, &scale, &zero);
        assert_true(fabsf(scale - cases[i].scale) <= FLT_EPSILON * scale);
        assert_int_equal(zero, cases[i].zero);
    }
    /* a range whose width is beyond floats is still one */
    float scale;
    int32_t zero;
    mixed24_range((const float[]){-3e38f, 3e38f}, 2, 2, &scale, &zero);
    assert_true(scale > 1.9e38f && scale < 2.1e38f && zero == 2);
}

TEST(a_code_is_the_nearest)
{
    uint64_t random = 3;
    for (uint32_t round = 0; round < 4000; round++) {
        uint32_t bits = round % 2 ? 2 : 4, most = (1u << bits) - 1;
        float w = random_float(&random), scale = random_float(&random) / 2;
        int32_t zero = (int32_t)(random_bits(&random) % (most + 1));
        double error = fabs((double)scale * ((int32_t)mixed24_code(w, scale, zero, bits) - zero) - w);
        for (uint32_t code = 0; code <= most; code++)
            assert_true(error <= fabs((double)scale * ((int32_t)code - zero) - w) + 1e-7);
    }
    assert_int_equal(mixed24_code(0.7f, 0, 2, 2), 2);
    assert_int_equal(mixed24_code(FLT_MAX, 1e-30, 2, 2), 3);
    assert_int_equal(mixed24_code(-FLT_MAX, 1e-30, 2, 4), 0);
}

/** The largest distance of a scale from what its code says, of those that are not 0. */
static float worst_scale(const float *scale, uint32_t bits, uint16_t *scale2, int8_t *zero2)
{
    uint8_t code[ROWS];
    float worst = 0;
    mixed24_encode_scales(scale, bits, code, scale2, zero2);
    assert_in_range(*zero2 + 112, 0, 112);
    for (uint32_t row = 0; row < ROWS; row++) {
        assert_true(code[row] < 1u << bits);
        float decoded = half_to_float(*scale2) * (float)(code[row] - *zero2);
        assert_true(isfinite(decoded));
        worst = scale[row] > 0 ? fmaxf(worst, fabsf(decoded - scale[row])) : worst;
    }
    return worst;
}

TEST(scales_are_as_near_as_their_bits_allow)
{
    uint64_t random = 4;
    for (uint32_t round = 0; round < 600; round++) {
        uint32_t bits = round % 2 ? 3 : 4;
        float least = 1, most = 0, scale[ROWS], spread = ldexpf(1, -(int)(round % 7));
        uint16_t scale2;
        int8_t zero2;
        for (uint32_t row = 0; row < ROWS; row++) {
            bool nothing = round % 5 == 0 && row % 3 == 0; /* rows of zeros do not widen the range */
            scale[row] = nothing ? 0 : 0.02f * (1 + spread * random_float(&random));
            least = nothing ? least : fminf(least, scale[row]);
            most = fmaxf(most, scale[row]);
        }
        float worst = worst_scale(scale, bits, &scale2, &zero2);
        float step = fmaxf((most - least) / (float)((1u << bits) - 1), least / 112);
        /* half a step where it begins, another where it ends, and what binary16 rounds of the whole */
        assert_true(worst <= 1.02f * step + most / 1024);
    }
}

TEST(scales_at_the_edges)
{
    float scale[ROWS];
    uint16_t scale2;
    int8_t zero2;
    static const float equal[] = {1, 0.013f, 1e-6f, 6000, 7e6f};
    for (size_t i = 0; i < sizeof equal / sizeof *equal; i++) {
        for (uint32_t row = 0; row < ROWS; row++)
            scale[row] = equal[i];
        float worst = worst_scale(scale, 3, &scale2, &zero2);
        /* 112 steps of binary16, whose least is 6e-8, and whose largest 65504 */
        assert_true(worst <= fmaxf(equal[i] / 200, 0x1p-24f));
    }
    memset(scale, 0, sizeof scale);
    worst_scale(scale, 4, &scale2, &zero2);
    assert_true(scale2 == 0 && zero2 == 0);
    scale[3] = 1e-12f;
    worst_scale(scale, 4, &scale2, &zero2);
    assert_int_equal(scale2, 1);
    for (uint32_t row = 0; row < ROWS; row++)
        scale[row] = FLT_MAX;
    uint8_t code[ROWS];
    mixed24_encode_scales(scale, 4, code, &scale2, &zero2);
    assert_int_equal(scale2, 0x7bff);
    assert_int_equal(code[7] - zero2, 15 + 112);
}

/** A Gaussian of about that deviation: the sum of twelve. */
static float gaussian(uint64_t *random, float deviation)
{
    float sum = 0;
    for (int i = 0; i < 12; i++)
        sum += random_float(random);
    return sum / 2 * deviation;
}

TEST(quantized_weights_are_near)
{
    uint64_t random = 5;
    static float w[ROWS][COLUMNS + 3];
    double squares[2] = {0}, errors[2] = {0};
    for (uint32_t round = 0; round < 64; round++) {
        struct mixed24_step step;
        for (uint32_t row = 0; row < ROWS; row++) {
            for (uint32_t column = 0; column < COLUMNS; column++)
                w[row][column] = row == 5 ? 0 : gaussian(&random, 0.02f);
        }
        mixed24_quantize(w[0], COLUMNS + 3, NULL, &step);
        for (uint32_t i = 0; i < ROWS * COLUMNS; i++) {
            uint32_t row = i / COLUMNS, column = i % COLUMNS, group = column / MIXED24_GROUP;
            double got = mixed24_weight(&step, row, column), error = got - (double)w[row][column];
            assert_true(row != 5 || got == 0);
            /* half a code, half of one by which the zero is rounded, and three times a scale's error */
            assert_true(fabs(error) <= mixed24_scale(&step, group, row) + 3 * half_to_float(step.scale2[group]));
            squares[group == 3] += (double)w[row][column] * (double)w[row][column];
            errors[group == 3] += error * error;
        }
    }
    /* 2 bits for 16 Gaussian weights, 4 bits for 256: shares of the squares that are lost */
    assert_true(errors[0] < 0.13 * squares[0] && errors[0] > 0.05 * squares[0]);
    assert_true(errors[1] < 0.016 * squares[1] && errors[1] > 0.004 * squares[1]);
}

/** Weights that a step can hold are what comes back. */
TEST(quantizing_again_changes_nothing)
{
    static const float scales2[MIXED24_GROUPS] = {0x1p-10f, 0x1p-9f, 0x1p-8f, 0x1p-6f};
    struct mixed24_step step = {0}, again;
    uint64_t random = 6;
    float w[ROWS * COLUMNS];
    for (uint32_t i = 0; i < ROWS * COLUMNS; i++) { /* each group has its least and its largest code */
        uint32_t row = i / COLUMNS, column = i % COLUMNS, most = column < 48 ? 3 : 15;
        step.code[row][column] = (uint8_t)(column % 16 == 0   ? 0
                                           : column % 16 == 1 ? most
                                                              : random_bits(&random) % (most + 1));
    }
    for (uint32_t group = 0; group < MIXED24_GROUPS; group++) {
        step.scale2[group] = half_from_float(scales2[group]);
        step.zero2[group] = group == 3 ? 7 : (int8_t)(-8 - (int)group);
        for (uint32_t row = 0; row < ROWS && group < 3; row++) {
            step.zero[group][row] = (uint8_t)(row % 4);
            step.scale[group][row] = (uint8_t)(row % (1u << mixed24_scale_bits[group]));
        }
    }
    for (uint32_t i = 0; i < ROWS * COLUMNS; i++)
        w[i] = (float)mixed24_weight(&step, i / COLUMNS, i % COLUMNS);
    mixed24_quantize(w, COLUMNS, NULL, &again);
    uint8_t bytes[BYTES], bytes_again[BYTES];
    mixed24_put_step(&step, bytes);
    mixed24_put_step(&again, bytes_again);
    assert_memory_equal(bytes, bytes_again, BYTES);
}

RUN_TESTS(NULL, NULL)
