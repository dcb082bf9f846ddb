/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Packing of every format: each weight has its own bits, packing loses nothing, sizes are what a reader computes by
 * hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "micro/kernel.h"

static uint64_t draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/** A weight that the format has: what it reads from random bytes. */
static int32_t draw_weight(const struct format *format, uint64_t *state)
{
    uint8_t step[512];
    for (uint32_t i = 0; i < format->step_bytes; i++)
        step[i] = (uint8_t)draw(state);
    return format->get(step, 0, 0);
}

static int8_t *draw_matrix(const struct format *format, size_t m, size_t k, uint64_t *state)
{
    int8_t *w = malloc(m * k);
    assert_non_null(w);
    for (size_t i = 0; i < m * k; i++)
        w[i] = (int8_t)draw_weight(format, state);
    return w;
}

static void facts_are_plausible(void **state)
{
    (void)state;
    size_t count = 0;
    for (const struct format *const *each = format_all(); *each; each++, count++) {
        const struct format *format = *each;
        assert_ptr_equal(format_find(format->name), format);
        assert_true(format->step_bytes % 64 == 0 && format->step_bytes <= 512);
        assert_true(format->rows_per_panel % 16 == 0); /* results of a panel are whole lines */
        assert_true(8 * format->step_bytes >= format->bits * format->rows_per_panel * format->k_per_step);
        assert_true(format->weight_min < 0 && format->weight_max > 0);
        assert_true(format->weight_min >= -128 && format->weight_max <= 127);
        assert_true(format->max_k >= 65536);
        /* the result and the correction of the largest K fit */
        int64_t most = -format->weight_min > format->weight_max ? -format->weight_min : format->weight_max;
        assert_true(most * 127 * format->max_k <= INT32_MAX);
        assert_true((int64_t)format->activation_offset * 127 * format->max_k <= INT32_MAX);
    }
    assert_true(count >= 3);
    assert_null(format_find("int3_vnni4"));
    assert_null(format_find(""));
}

/** Every position of three steps of a panel: written, read back, and nothing else changed. */
static void every_position_has_its_own_bits(void **state)
{
    (void)state;
    enum { STEPS = 3 };
    for (const struct format *const *each = format_all(); *each; each++) {
        const struct format *format = *each;
        uint32_t columns = STEPS * format->k_per_step, rows = format->rows_per_panel;
        uint64_t random = 1;
        uint8_t panel[STEPS * 512 + 1], before[STEPS * 512 + 1];
        int32_t *w = malloc(rows * columns * sizeof *w);
        assert_non_null(w);
        memset(panel, 0x5a, sizeof panel);
        for (uint32_t i = 0; i < rows * columns; i++)
            format->put(panel, i / columns, i % columns, w[i] = draw_weight(format, &random));
        for (uint32_t i = 0; i < rows * columns; i++)
            assert_int_equal(format->get(panel, i / columns, i % columns), w[i]);
        assert_int_equal(panel[STEPS * format->step_bytes], 0x5a);

        /* storing what is there already changes no byte; storing another value changes this one only */
        memcpy(before, panel, sizeof panel);
        for (uint32_t i = 0; i < rows * columns; i++) {
            format->put(panel, i / columns, i % columns, w[i]);
            assert_memory_equal(panel, before, sizeof panel);
        }
        uint32_t chosen = (rows - 1) * columns + format->k_per_step;
        int32_t other = w[chosen] == format->weight_min ? format->weight_max : format->weight_min;
        format->put(panel, chosen / columns, chosen % columns, other);
        for (uint32_t i = 0; i < rows * columns; i++)
            assert_int_equal(format->get(panel, i / columns, i % columns), i == chosen ? other : w[i]);
        free(w);
    }
}

/** Any byte is a weight in range, and both ends of the range occur. */
static void every_bit_pattern_is_a_weight(void **state)
{
    (void)state;
    for (const struct format *const *each = format_all(); *each; each++) {
        const struct format *format = *each;
        uint8_t step[512];
        int32_t least = INT32_MAX, most = INT32_MIN;
        for (int byte = 0; byte < 256; byte++) {
            memset(step, byte, sizeof step);
            for (uint32_t row = 0; row < format->rows_per_panel; row++) {
                int32_t w = format->get(step, row, format->k_per_step - 1);
                least = w < least ? w : least;
                most = w > most ? w : most;
            }
        }
        assert_int_equal(least, format->weight_min);
        assert_int_equal(most, format->weight_max);
    }
}

static void check_packed(const struct format *format, const int8_t *w, size_t m, size_t k, const uint8_t *packed)
{
    size_t rows = format->rows_per_panel, columns = format_steps(format, k) * format->k_per_step;
    for (size_t row = 0; row < format_panels(format, m) * rows; row++) {
        const uint8_t *panel = packed + row / rows * format_panel_bytes(format, k);
        for (size_t column = 0; column < columns; column++) {
            int32_t expected = row < m && column < k ? w[row * k + column] : format->weight_min;
            assert_int_equal(format->get(panel, (uint32_t)(row % rows), (uint32_t)column), expected);
        }
    }
}

static void packing_loses_nothing_and_pads_with_the_least(void **state)
{
    (void)state;
    static const size_t sizes[][2] = {{1, 1}, {1, 17}, {31, 16}, {32, 33}, {33, 8}, {65, 5}, {100, 100}, {129, 3}};
    uint64_t random = 2;
    for (const struct format *const *each = format_all(); *each; each++) {
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            size_t m = sizes[i][0], k = sizes[i][1], bytes = format_packed_bytes(*each, m, k);
            int8_t *w = draw_matrix(*each, m, k, &random);
            uint8_t *packed = malloc(bytes + 1);
            assert_non_null(packed);
            memset(packed, 0xff, bytes + 1);
            format_pack(*each, w, m, k, packed);
            check_packed(*each, w, m, k, packed);
            assert_int_equal(packed[bytes], 0xff);
            free(packed);
            free(w);
        }
    }
}

/** The reference from packed bytes, against the definition: y = W a. */
static void reference_is_the_product(void **state)
{
    (void)state;
    enum { M = 70, K = 45, FIRST = 30, ROWS = 40 };
    uint64_t random = 3;
    for (const struct format *const *each = format_all(); *each; each++) {
        int8_t *w = draw_matrix(*each, M, K, &random), a[K];
        uint8_t *packed = malloc(format_packed_bytes(*each, M, K));
        int32_t y[ROWS + 1] = {[ROWS] = 77};
        assert_non_null(packed);
        for (size_t i = 0; i < K; i++)
            a[i] = (int8_t)((int)(draw(&random) % 255) - 127);
        format_pack(*each, w, M, K, packed);
        format_reference(*each, packed, K, FIRST, ROWS, a, y);
        for (size_t row = 0; row < ROWS; row++) {
            int32_t sum = 0;
            for (size_t column = 0; column < K; column++)
                sum += w[(FIRST + row) * K + column] * a[column];
            assert_int_equal(y[row], sum);
        }
        assert_int_equal(y[ROWS], 77);
        free(packed);
        free(w);
    }
}

static void sizes_of_real_matrices(void **state)
{
    (void)state;
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
        {"int2_vnni4", 1, 1, 1, 1, 64, 512.0},
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

static void what_cannot_be_held_is_said(void **state)
{
    (void)state;
    for (const struct format *const *each = format_all(); *each; each++) {
        char why[160] = "before", limit[32];
        assert_int_equal(format_accepts(*each, 1, 1, why, sizeof why), 0);
        assert_string_equal(why, "");
        assert_int_equal(format_accepts(*each, UINT32_MAX, (*each)->max_k, why, sizeof why), 0);

        assert_int_equal(format_accepts(*each, 0, 5, why, sizeof why), -EINVAL);
        assert_non_null(strstr(why, "M and K"));
        assert_int_equal(format_accepts(*each, 5, 0, why, sizeof why), -EINVAL);
        assert_non_null(strstr(why, (*each)->name));

        snprintf(limit, sizeof limit, "%u", (*each)->max_k);
        assert_int_equal(format_accepts(*each, 5, (size_t)(*each)->max_k + 1, why, sizeof why), -EINVAL);
        assert_non_null(strstr(why, limit));
        assert_int_equal(format_accepts(*each, (size_t)UINT32_MAX + 1, 5, why, sizeof why), -EINVAL);
        assert_non_null(strstr(why, "M = 4294967296"));

        /* a short or absent text is no excuse */
        assert_int_equal(format_accepts(*each, 0, 5, why, 4), -EINVAL);
        assert_int_equal(strlen(why), 3);
        assert_int_equal(format_accepts(*each, 0, 5, NULL, 0), -EINVAL);
        assert_int_equal(format_accepts(*each, 5, 5, NULL, 0), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(facts_are_plausible),
        cmocka_unit_test(every_position_has_its_own_bits),
        cmocka_unit_test(every_bit_pattern_is_a_weight),
        cmocka_unit_test(packing_loses_nothing_and_pads_with_the_least),
        cmocka_unit_test(reference_is_the_product),
        cmocka_unit_test(sizes_of_real_matrices),
        cmocka_unit_test(what_cannot_be_held_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
