/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Outliers beside the steps of mixed24: places as drawn in micro/quantization/mixed24_outliers_layout.h, what is drawn is valid, and packing keeps the largest
 * weights.
 */
#include "micro/quantization/mixed24_outliers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "micro/isa/random.h"
#include "micro/kernel.h"
#include "unit_test.h"

enum { ROWS = MIXED24_ROWS, K = 192, ROOM = 16 };

static uint8_t *new_panel(size_t bytes)
{
    uint8_t *panel = aligned_alloc(64, (bytes + 63) / 64 * 64);
    assert_non_null(panel);
    memset(panel, 0xa5, bytes);
    return panel;
}

/** Three steps are 1092 bytes, so end[] is at 1152; 5 per mille of 16 x 192 weights are 15.36, for which there are 16 places. */
TEST(outliers_lie_where_they_are_drawn)
{
    static const struct {
        uint32_t row, column;
        double value;
    } list[] = {{0, 0, 1.5}, {2, 47, -0.25}, {2, 64, 3}, {15, 175, 0x1p-10}};
    assert_int_equal(mixed24_outliers_count(K, 5), 16);
    assert_int_equal(mixed24_outliers_room(K, 5), ROOM);
    assert_int_equal(mixed24_outliers_panel_bytes(K, 5), 1152 + 64 + 64);
    uint8_t *panel = new_panel(1280);
    memset(panel, 0, 1152);
    for (uint32_t row = 0; row < ROWS; row++) {
        const uint32_t end = row < 2 ? 1 : row < 15 ? 3 : 4;
        memcpy(panel + 1152 + 4 * row, &end, sizeof end);
    }
    static const uint8_t columns[2 * ROOM] = {0, 0, 47, 0, 64, 0, 175, 0};
    static const uint8_t values[2 * ROOM] = {0x00, 0x3e, 0x00, 0xb4, 0x00, 0x42, 0x00, 0x14};
    memcpy(panel + 1216, columns, sizeof columns);
    memcpy(panel + 1248, values, sizeof values);
    for (uint32_t row = 0; row < ROWS; row++) {
        for (uint32_t column = 0; column < K; column++) {
            double expected = 0;
            for (size_t i = 0; i < 4; i++)
                expected += list[i].row == row && list[i].column == column ? list[i].value : 0;
            assert_true(mixed24_outliers_weight(panel, K, 5, row, column) == expected);
        }
    }
    free(panel);
}

static double of_column(const void *prepared, size_t column)
{
    return ((const double *)prepared)[column];
}

/** A row of CSR and the weights one by one give the same product. */
TEST(a_row_adds_its_outliers)
{
    uint64_t random = 1;
    double activations[K];
    uint8_t *panel = new_panel(mixed24_outliers_panel_bytes(K, 30));
    mixed24_outliers_fill(panel, K, 30, &random);
    for (size_t i = 0; i < K; i++)
        activations[i] = (double)random_float(&random);
    struct mixed24_outliers outliers = mixed24_outliers_of(panel, K, 30);
    for (uint32_t row = 0; row < ROWS; row++) {
        double expected = 0, magnitudes = 0, magnitude = 0;
        for (uint32_t column = 0; column < K; column++) {
            double dense = mixed24_weight_at(panel + column / 64 * MIXED24_STEP_BYTES, row, column % 64);
            double term = (mixed24_outliers_weight(panel, K, 30, row, column) - dense) * activations[column];
            expected += term;
            magnitudes += fabs(term);
        }
        double sum = mixed24_outliers_row(&outliers, row, of_column, activations, &magnitude);
        assert_true(fabs(sum - expected) < 1e-12 && fabs(magnitude - magnitudes) < 1e-12);
    }
    free(panel);
}

/** As many as the share says, ascending, of 2-bit groups, and not the same in each row. */
TEST(what_is_drawn_is_valid)
{
    static const uint32_t shares[] = {2, 5, 15, 30};
    uint64_t random = 2;
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        for (size_t k = 64; k <= 4096; k *= 4) {
            uint32_t least = UINT32_MAX, most = 0;
            uint8_t *panel = new_panel(mixed24_outliers_panel_bytes(k, shares[i]));
            mixed24_outliers_fill(panel, k, shares[i], &random);
            struct mixed24_outliers outliers = mixed24_outliers_of(panel, k, shares[i]);
            assert_int_equal(outliers.end[ROWS - 1], mixed24_outliers_count(k, shares[i]));
            for (uint32_t row = 0; row < ROWS; row++) {
                uint32_t first = mixed24_outliers_first(&outliers, row), count = outliers.end[row] - first;
                least = count < least ? count : least;
                most = count > most ? count : most;
                for (uint32_t at = first; at < outliers.end[row]; at++) {
                    assert_true(outliers.column[at] < k && mixed24_outliers_may_be(outliers.column[at]));
                    assert_true(at == first || outliers.column[at] > outliers.column[at - 1]);
                }
            }
            for (size_t at = outliers.end[ROWS - 1]; at < mixed24_outliers_room(k, shares[i]); at++)
                assert_true(outliers.column[at] == 0 && outliers.value[at] == 0);
            assert_true(most > least);
            free(panel);
        }
    }
}

/** Errors of a panel's 2-bit groups, dense or with outliers: squared, summed. */
static double error_of(const float *w, const uint8_t *panel, uint32_t per_mille)
{
    double sum = 0;
    for (uint32_t i = 0; i < ROWS * K; i++) {
        double got = per_mille ? mixed24_outliers_weight(panel, K, per_mille, i / K, i % K)
                               : mixed24_weight_at(panel + i % K / 64 * MIXED24_STEP_BYTES, i / K, i % 64);
        sum += mixed24_outliers_may_be(i % K) ? (got - (double)w[i]) * (got - (double)w[i]) : 0;
    }
    return sum;
}

TEST(packing_keeps_the_largest)
{
    const struct format *dense = format_find("mixed24"), *sparse = format_find("mixed24_o05");
    assert_true(dense && sparse);
    uint64_t random = 3;
    float *w = malloc(ROWS * K * sizeof *w);
    assert_non_null(w);
    for (uint32_t i = 0; i < ROWS * K; i++)
        w[i] = random_float(&random) / 8;
    /* far from all others, in a 2-bit group; one as far in a 4-bit group stays there */
    static const uint32_t far[][2] = {{0, 3}, {3, 40}, {3, 100}, {15, 128}, {9, 63}};
    for (size_t i = 0; i < 5; i++)
        w[far[i][0] * K + far[i][1]] = i % 2 ? 2 : -2;
    uint8_t *panel = new_panel(format_panel_bytes(sparse, K)), *without = new_panel(format_panel_bytes(dense, K));
    dense->pack(w, K, without);
    sparse->pack(w, K, panel);
    struct mixed24_outliers outliers = mixed24_outliers_of(panel, K, 5);
    assert_int_equal(outliers.end[ROWS - 1], 16);
    for (size_t i = 0; i < 4; i++) {
        double dense_w = mixed24_weight_at(panel + far[i][1] / 64 * MIXED24_STEP_BYTES, far[i][0], far[i][1] % 64);
        double got = mixed24_outliers_weight(panel, K, 5, far[i][0], far[i][1]);
        assert_true(fabs(got - (i % 2 ? 2 : -2)) < 0x1p-10 && fabs(dense_w) < 0.3);
    }
    for (uint32_t i = 0; i < outliers.end[ROWS - 1]; i++)
        assert_true(mixed24_outliers_may_be(outliers.column[i]));
    assert_true(error_of(w, panel, 5) < 0.9 * error_of(w, without, 0));
    free(without);
    free(panel);
    free(w);
}

/** Of equally large weights as many as there are to be; of zeros none. */
TEST(ties_are_not_too_many)
{
    float *w = calloc(ROWS * K, sizeof *w);
    uint8_t *panel = new_panel(mixed24_outliers_panel_bytes(K, 5));
    assert_non_null(w);
    mixed24_outliers_pack(w, K, 5, panel);
    struct mixed24_outliers outliers = mixed24_outliers_of(panel, K, 5);
    assert_int_equal(outliers.end[ROWS - 1], 0);
    assert_true(error_of(w, panel, 5) == 0);
    for (uint32_t i = 0; i < ROWS * K; i++)
        w[i] = i % 2 ? -1 : 1;
    mixed24_outliers_pack(w, K, 5, panel);
    assert_int_equal(outliers.end[ROWS - 1], 16);
    free(panel);
    free(w);
}

/** 32 bits an outlier, 32 a row, and what rounding up to 16 entries and 64 bytes adds. */
TEST(bits_are_of_the_bytes)
{
    static const struct {
        const char *name;
        uint32_t entries; /* of a panel of 4096 columns */
    } formats[] = {{"mixed24_o02", 144}, {"mixed24_o05", 336}, {"mixed24_o15", 992}, {"mixed24_o30", 1968}};
    for (size_t i = 0; i < 4; i++) {
        const struct format *format = format_find(formats[i].name);
        assert_non_null(format);
        assert_int_equal(format_panel_bytes(format, 4096), 64 * 364 + 64 + 4 * formats[i].entries);
        double bits = 2.84375 + 32.0 * formats[i].entries / 65536 + 32 / 4096.0;
        assert_true(fabs(format_bits_per_weight(format, 4096, 4096) - bits) < 1e-12);
    }
}

RUN_TESTS(NULL, NULL)
