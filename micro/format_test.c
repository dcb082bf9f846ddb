/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Packing of every format: each weight has its own bits, packing loses nothing, sizes are what a reader computes by
 * hand.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "micro/reference.h"
#include "unit_test.h"

static uint64_t draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/** A weight that an integer format has: what it reads from a random step. */
static int32_t draw_weight(const struct format *format, uint64_t *state)
{
    uint8_t step[2048];
    assert_true(format_panel_bytes(format, format->k_per_step) <= sizeof step);
    format_fill(format, step, 1, format->k_per_step, state);
    return format->get(step, (uint32_t)draw(state) % format->rows_per_panel, 0);
}

/** Weights that packing keeps as they are where they are integers. */
static float *draw_matrix(const struct format *format, size_t m, size_t k, uint64_t *state)
{
    float *w = malloc(m * k * sizeof *w);
    assert_non_null(w);
    for (size_t i = 0; i < m * k; i++)
        w[i] = format->get ? (float)draw_weight(format, state)
               : format_is_integer(format)
                   ? (float)format->weight_min +
                         (float)(draw(state) % (uint64_t)(format->weight_max - format->weight_min + 1))
                   : (float)((double)draw(state) * 0x1p-30 - 1);
    return w;
}

/** The next K that the format holds. */
static size_t held(const struct format *format, size_t k)
{
    return format->k_multiple ? (k + format->k_multiple - 1) / format->k_multiple * format->k_multiple : k;
}

TEST(facts_are_plausible)
{
    size_t count = 0;
    for (const struct format *const *each = format_all(); *each; each++, count++) {
        const struct format *format = *each;
        assert_ptr_equal(format_find(format->name), format);
        assert_true(format->rows_per_panel > 0 && format->k_per_step > 0);
        assert_true(format_is_uniform(format) == (format->step_bytes != 0));
        assert_true(!format->k_multiple || format->k_multiple % format->k_per_step == 0);
        /* nominal bits are those of a large matrix */
        size_t k = held(format, 4096);
        double bits = 8.0 * (double)format_panel_bytes(format, k) / ((double)k * format->rows_per_panel);
        assert_true(bits > 0.98 * format->bits && bits < 1.1 * format->bits);
        /* one way to write weights and one to read them */
        assert_true((format->put != NULL) == (format->get != NULL));
        assert_true((format->put != NULL) != (format->pack != NULL));
        assert_true((format->pack != NULL) == (format->weight != NULL));
        assert_true(!format->put || (format_is_uniform(format) && format_is_integer(format)));
        assert_true(format->activation_offset == 0 || format->put);
        if (!format_is_integer(format)) {
            assert_true(format->max_k >= 65536);
            continue;
        }
        /* the result and the correction of the largest K fit */
        assert_true(format->weight_min < 0 && format->weight_max > 0);
        int64_t largest = -format->weight_min > format->weight_max ? -format->weight_min : format->weight_max;
        /* weights beyond int8 are bipolar of 8 bits, and so are activations then: there K is all that int32 allows */
        assert_true((format->weight_min >= -128 && format->weight_max <= 127) ||
                    (format->weight_min == -255 && format->weight_max == 255));
        assert_true(format->max_k >= 65536 ||
                    (largest > 128 && largest * 255 * ((int64_t)format->max_k + 1) > INT32_MAX));
        assert_true(largest * 127 * format->max_k <= INT32_MAX);
        assert_true((int64_t)format->activation_offset * 127 * format->max_k <= INT32_MAX);
    }
    assert_true(count >= 3);
    assert_null(format_find("int3_vnni4"));
    assert_null(format_find(""));
}

/** Every position of three steps of a panel: written, read back, and nothing else changed. */
TEST(every_position_has_its_own_bits)
{
    enum { STEPS = 3 };
    for (const struct format *const *each = format_all(); *each; each++) {
        const struct format *format = *each;
        if (!format->put)
            continue;
        uint32_t columns = STEPS * format->k_per_step, rows = format->rows_per_panel;
        uint64_t random = 1;
        size_t bytes = format_panel_bytes(format, columns) + 1;
        uint8_t *panel = malloc(bytes), *before = malloc(bytes);
        int32_t *w = malloc(rows * columns * sizeof *w);
        assert_true(panel && before && w);
        memset(panel, 0x5a, bytes);
        for (uint32_t i = 0; i < rows * columns; i++)
            format->put(panel, i / columns, i % columns, w[i] = draw_weight(format, &random));
        for (uint32_t i = 0; i < rows * columns; i++)
            assert_int_equal(format->get(panel, i / columns, i % columns), w[i]);
        assert_int_equal(panel[bytes - 1], 0x5a);

        /* storing what is there already changes no byte; storing another value changes this one only */
        memcpy(before, panel, bytes);
        for (uint32_t i = 0; i < rows * columns; i++) {
            format->put(panel, i / columns, i % columns, w[i]);
            assert_memory_equal(panel, before, bytes);
        }
        uint32_t chosen = (rows - 1) * columns + format->k_per_step;
        int32_t other = w[chosen] == format->weight_min ? format->weight_max : format->weight_min;
        format->put(panel, chosen / columns, chosen % columns, other);
        for (uint32_t i = 0; i < rows * columns; i++)
            assert_int_equal(format->get(panel, i / columns, i % columns), i == chosen ? other : w[i]);
        free(w);
        free(before);
        free(panel);
    }
}

/** Any byte is a weight in range, and both ends of the range occur; of formats that have fill() what that writes. */
TEST(valid_bytes_are_weights_in_range)
{
    uint64_t random = 4;
    for (const struct format *const *each = format_all(); *each; each++) {
        const struct format *format = *each;
        size_t k = held(format, 4 * (size_t)format->k_per_step), bytes = format_panel_bytes(format, k);
        uint8_t *panel = malloc(bytes);
        assert_non_null(panel);
        double least = 0, most = 0;
        for (int byte = 0; byte < 256; byte++) {
            memset(panel, byte, bytes);
            if (format->fill)
                format_fill(format, panel, format_is_uniform(format) ? format_steps(format, k) : 1, k, &random);
            for (uint32_t row = 0; row < format->rows_per_panel; row++) {
                double w = format_weight(format, panel, k, row, (uint32_t)k - 1);
                assert_true(w - w == 0); /* finite */
                least = w < least ? w : least;
                most = w > most ? w : most;
            }
        }
        free(panel);
        assert_true(least < 0 && most > 0);
        if (format_is_integer(format))
            assert_true(least == format->weight_min && most == format->weight_max);
    }
}

/** fill() writes every byte of its panel and none past it. */
TEST(a_fill_stays_in_its_panel)
{
    uint64_t random = 5;
    for (const struct format *const *each = format_all(); *each; each++) {
        size_t k = held(*each, 3 * (size_t)(*each)->k_per_step), bytes = format_panel_bytes(*each, k);
        uint8_t *panel = malloc(bytes + 1), *changed = calloc(bytes, 1);
        assert_true(panel && changed);
        for (int round = 0; round < 64; round++) {
            memset(panel, round % 2 ? 0xff : 0, bytes + 1);
            format_fill(*each, panel, format_is_uniform(*each) ? format_steps(*each, k) : 1, k, &random);
            assert_int_equal(panel[bytes], round % 2 ? 0xff : 0);
            for (size_t i = 0; i < bytes; i++)
                changed[i] |= panel[i] != panel[bytes];
        }
        size_t left = 0;
        for (size_t i = 0; i < bytes; i++)
            left += !changed[i];
        if (left)
            fail_msg("%s: fill() never writes %zu of %zu bytes", (*each)->name, left, bytes);
        free(panel);
        free(changed);
    }
}

/** Integers come back as they are; real numbers within a step of the coarsest format, and rows past M as zeros. */
static void check_packed(const struct format *format, const float *w, size_t m, size_t k, const uint8_t *packed)
{
    size_t rows = format->rows_per_panel, columns = format_columns(format, k);
    double padding = format->put ? format->weight_min : 0, slack = format_is_integer(format) ? 0 : 1.0;
    for (size_t row = 0; row < format_panels(format, m) * rows; row++) {
        const uint8_t *panel = packed + row / rows * format_panel_bytes(format, k);
        for (size_t column = 0; column < columns; column++) {
            bool inside = row < m && column < k;
            double expected = inside ? (double)w[row * k + column] : padding;
            double got = format_weight(format, panel, k, (uint32_t)(row % rows), (uint32_t)column);
            if (row >= m || format_is_integer(format))
                assert_true(got == expected);
            else
                assert_true(got - expected <= slack && expected - got <= slack);
        }
    }
}

TEST(packing_keeps_the_weights_and_pads)
{
    static const size_t sizes[][2] = {{1, 1}, {1, 17}, {31, 16}, {32, 33}, {33, 8}, {65, 5}, {100, 100}, {129, 3}};
    uint64_t random = 2;
    for (const struct format *const *each = format_all(); *each; each++) {
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            size_t m = sizes[i][0], k = held(*each, sizes[i][1]), bytes = format_packed_bytes(*each, m, k);
            float *w = draw_matrix(*each, m, k, &random);
            uint8_t *packed = malloc(bytes + 1);
            assert_non_null(packed);
            memset(packed, 0xff, bytes + 1);
            assert_int_equal(format_pack(*each, w, m, k, packed), 0);
            check_packed(*each, w, m, k, packed);
            assert_int_equal(packed[bytes], 0xff);
            free(packed);
            free(w);
        }
    }
}

/** The reference from packed bytes, against the definition: y = W a. */
TEST(reference_is_the_product)
{
    enum { M = 70, K_LEAST = 45 };
    uint64_t random = 3;
    for (const struct format *const *each = format_all(); *each; each++) {
        if (!format_is_integer(*each))
            continue;
        struct kernel kernel = {.format = *each};
        size_t k = held(*each, K_LEAST), rows = (*each)->rows_per_panel;
        float *w = draw_matrix(*each, M, k, &random);
        int8_t *a = malloc(k);
        uint8_t *packed = malloc(format_packed_bytes(*each, M, k));
        struct reference_row *y = malloc(rows * sizeof *y);
        assert_true(a && packed && y);
        for (size_t i = 0; i < k; i++)
            a[i] = (int8_t)((int)(draw(&random) % 255) - 127);
        assert_int_equal(format_pack(*each, w, M, k, packed), 0);
        for (size_t row = 0; row < M; row++) {
            if (row % rows == 0)
                reference_rows(&kernel, packed + row / rows * format_panel_bytes(*each, k), k,
                               M - row < rows ? M - row : rows, a, NULL, y);
            int32_t sum = 0;
            for (size_t column = 0; column < k; column++)
                sum += (int32_t)w[row * k + column] * a[column];
            assert_true(y[row % rows].definition == sum && y[row % rows].y == sum && y[row % rows].rounding == 0);
        }
        free(y);
        free(packed);
        free(a);
        free(w);
    }
}

TEST(sizes_of_real_matrices)
{
    static const struct {
        const char *format;
        size_t m, k, panels, steps, bytes;
        double bits;
    } cases[] = {
        {"int2_vnni4", 4096, 4096, 128, 512, 4194304, 2.0},
        {"int2_planes", 4096, 4096, 64, 1024, 4194304, 2.0},
        {"int1_vnni4", 4096, 4096, 128, 256, 2097152, 1.0},
        {"int8_vnni4", 1600, 4352, 50, 1088, 6963200, 8.0},
        {"int1_vnni4", 320, 1600, 10, 100, 64000, 1.0},
        /* 320 rows are two and a half panels of 128: 384 rows are stored */
        {"int1_planes", 320, 1600, 3, 400, 76800, 1.2},
        {"f32", 4096, 4096, 4096, 128, 67108864, 32.0},
        {"f16", 3, 33, 3, 2, 384, 16.0 * 64 / 33},
        {"bf16", 3, 32, 3, 1, 192, 16.0},
        {"int2_vnni4", 1, 1, 1, 1, 64, 512.0},
        /* 4096 columns of tl2 are 170 tiles of 24 and 16 more of 2 bits, 3072 are whole tiles, 41 a tile and 20 */
        {"tl1", 4096, 4096, 64, 1024, 4194304, 2.0},
        {"tl1", 65, 6, 2, 2, 256, 256 * 8 / (65.0 * 6)},
        {"elut5", 65, 17, 2, 2, 1280, 1280 * 8 / (65.0 * 17)},
        {"tl2", 4096, 4096, 64, 1024, 3497984, 1.66796875},
        {"tl2", 3072, 3072, 48, 768, 1966080, 5.0 / 3},
        {"tl2", 64, 41, 1, 11, 640, 640 * 8 / (64.0 * 41)},
        {"int2_vnni4", 33, 9, 2, 2, 256, 2048.0 / (33 * 9)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct format *format = format_find(cases[i].format);
        assert_non_null(format);
        assert_int_equal(format_panels(format, cases[i].m), cases[i].panels);
        assert_int_equal(format_steps(format, cases[i].k), cases[i].steps);
        assert_int_equal(format_packed_bytes(format, cases[i].m, cases[i].k), cases[i].bytes);
        double bits = format_bits_per_weight(format, cases[i].m, cases[i].k);
        assert_true(bits > cases[i].bits - 1e-12 && bits < cases[i].bits + 1e-12);
    }
}

/* Bits per weight by what packing writes: every byte of a 64 x 4096 matrix and none after it. */
TEST(bits_are_of_the_bytes_that_packing_writes)
{
    enum { BEHIND = 64, CANARY = 0xa5 };
    static const struct {
        const char *format;
        double bits; /* scales included; tl2 has 2 bits for the 16 columns that its tiles of 24 leave */
    } stated[] = {{"f32", 32},         {"f16", 16},     {"i2_s", 2},       {"tl1", 2},
                  {"tl2", 1.66796875}, {"tmac2", 2},    {"tq1_0", 1.6875}, {"tq2_0", 2.0625},
                  {"q4_0", 4.5},       {"q2_k", 2.625}, {"elut4", 2},      {"elut5", 2.5}};
    uint64_t random = 5;
    const size_t k = 4096;
    for (const struct format *const *each = format_all(); *each; each++) {
        char why[160];
        const size_t rows = (*each)->rows_per_panel, m = (64 + rows - 1) / rows * rows; /* whole panels */
        if (format_accepts(*each, m, k, why, sizeof why))
            continue;
        size_t bytes = format_packed_bytes(*each, m, k), last = bytes;
        float *w = draw_matrix(*each, m, k, &random);
        uint8_t *packed = malloc(bytes + BEHIND);
        assert_non_null(packed);
        memset(packed, CANARY, bytes + BEHIND);
        assert_int_equal(format_pack(*each, w, m, k, packed), 0);
        for (size_t i = 0; i < BEHIND; i++)
            assert_int_equal(packed[bytes + i], CANARY);
        while (last && packed[last - 1] == CANARY)
            last--;
        assert_true(bytes - last < 8); /* a weight may be the canary */
        double bits = 8.0 * (double)bytes / (double)(m * k);
        assert_true(format_bits_per_weight(*each, m, k) == bits);
        assert_true(bits >= (*each)->bits * 0.9995 && bits < (*each)->bits * 1.02);
        for (size_t i = 0; i < sizeof stated / sizeof *stated; i++) {
            if (strcmp(stated[i].format, (*each)->name) == 0 && bits != stated[i].bits)
                fail_msg("%s has %.6f bits per weight", (*each)->name, bits);
        }
        free(packed);
        free(w);
    }
}

TEST(what_cannot_be_held_is_said)
{
    for (const struct format *const *each = format_all(); *each; each++) {
        char why[160] = "before", limit[32];
        size_t k = held(*each, 1), granule = (*each)->k_multiple ? (*each)->k_multiple : 1;
        assert_int_equal(format_accepts(*each, 1, k, why, sizeof why), 0);
        assert_string_equal(why, "");
        assert_int_equal(format_accepts(*each, UINT32_MAX, (*each)->max_k / granule * granule, why, sizeof why), 0);

        assert_int_equal(format_accepts(*each, 0, k, why, sizeof why), -EINVAL);
        assert_non_null(strstr(why, "M and K"));
        assert_int_equal(format_accepts(*each, 5, 0, why, sizeof why), -EINVAL);
        assert_non_null(strstr(why, (*each)->name));

        snprintf(limit, sizeof limit, "%u", (*each)->max_k);
        assert_int_equal(format_accepts(*each, 5, (size_t)(*each)->max_k + 1, why, sizeof why), -EINVAL);
        assert_non_null(strstr(why, limit));
        assert_int_equal(format_accepts(*each, (size_t)UINT32_MAX + 1, k, why, sizeof why), -EINVAL);
        assert_non_null(strstr(why, "M = 4294967296"));

        snprintf(limit, sizeof limit, "multiple of %u", (*each)->k_multiple);
        assert_int_equal(format_accepts(*each, 5, k + 1, why, sizeof why), granule > 1 ? -EINVAL : 0);
        assert_true(granule == 1 || strstr(why, limit));

        /* a short or absent text is no excuse */
        assert_int_equal(format_accepts(*each, 0, k, why, 4), -EINVAL);
        assert_int_equal(strlen(why), 3);
        assert_int_equal(format_accepts(*each, 0, k, NULL, 0), -EINVAL);
        assert_int_equal(format_accepts(*each, 5, k, NULL, 0), 0);
    }
}

RUN_TESTS(NULL, NULL)
