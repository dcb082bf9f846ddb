/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The paper's order of mixed24: bits lie as drawn in micro/formats/mixed24_rows/format.c, and none is lost on the way there.
 */
#include "micro/quantization/mixed24_rows.h"

#include <stdlib.h>
#include <string.h>

#include "micro/isa/random.h"
#include "micro/kernel.h"
#include "unit_test.h"

enum { STEPS = 3, K = STEPS * MIXED24_COLUMNS, BYTES = STEPS * MIXED24_STEP_BYTES };

static void to_rows(const uint8_t *panel, uint8_t *rows)
{
    memset(rows, 0xff, BYTES);
    for (size_t i = 0; i < STEPS; i++) {
        struct mixed24_step step;
        mixed24_get_step(panel + i * MIXED24_STEP_BYTES, &step);
        mixed24_rows_put_step(&step, i, K, rows);
    }
}

/** A bit here, and where mixed24 has it. */
TEST(bits_lie_where_they_are_drawn)
{
    static const struct {
        uint32_t byte, bit; /* of the panel of rows */
        uint32_t step, step_byte, step_bit;
    } places[] = {
        /* row 2, step 1: piece at 16 (3 * 2 + 1) = 112 */
        {112, 0, 1, 8, 0},                /* column 0: group 0, dword 2, byte 0 */
        {112 + 2, 3, 1, 8 + 1, 5},        /* bits 18, 19: column 9 = 4 * 2 + 1 */
        {112 + 4 + 3, 7, 1, 75, 7},       /* group 1, column 15 = 4 * 3 + 3 */
        {112 + 8, 2, 1, 137, 0},          /* group 2, column 1 */
        {112 + 12, 0, 1, 200, 0},         /* column 48: nibble 0 of register 0 */
        {112 + 12 + 3, 6, 1, 203, 6},     /* column 55 = 48 + 4 + 3: its high nibbles */
        {768 + 28, 5, 1, 265, 1},         /* halves at 768: column 57, register 1, low nibble of byte 1 */
        {768 + 28 + 3, 7, 1, 267, 7},     /* column 63: the high nibble of byte 3 */
        {960 + 14 + 1, 4, 1, 325, 4},     /* words at 960 */
        {1056 + 2 * 8 + 4, 6, 2, 356, 6}, /* scale2 at 1056: of step 2, group 2 */
        {1080 + 4 + 3, 1, 1, 363, 1},     /* zero2 at 1080 */
    };
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        uint8_t panel[BYTES] = {0}, rows[BYTES], expected[BYTES] = {0};
        panel[places[i].step * MIXED24_STEP_BYTES + places[i].step_byte] = (uint8_t)(1u << places[i].step_bit);
        expected[places[i].byte] = (uint8_t)(1u << places[i].bit);
        to_rows(panel, rows);
        if (memcmp(rows, expected, BYTES) != 0)
            fail_msg("bit %u of byte %u is elsewhere", places[i].bit, places[i].byte);
    }
}

/** Each of a panel's 8736 bits goes to a place of its own, the same alone and among others. */
TEST(no_bit_is_lost)
{
    uint64_t random = 1;
    uint8_t panel[BYTES], rows[BYTES], changed[BYTES], taken[BYTES] = {0};
    random_bytes(panel, BYTES, &random);
    to_rows(panel, rows);
    for (uint32_t bit = 0; bit < 8 * BYTES; bit++) {
        uint8_t alone[BYTES] = {0}, place[BYTES];
        alone[bit / 8] = (uint8_t)(1u << bit % 8);
        panel[bit / 8] ^= alone[bit / 8];
        to_rows(alone, place);
        to_rows(panel, changed);
        panel[bit / 8] ^= alone[bit / 8];
        int bits = 0;
        for (size_t i = 0; i < BYTES; i++) {
            assert_int_equal(rows[i] ^ changed[i], place[i]);
            assert_int_equal(taken[i] & place[i], 0);
            taken[i] |= place[i];
            bits += __builtin_popcount(place[i]);
        }
        assert_int_equal(bits, 1);
    }
}

TEST(weights_are_those_of_mixed24)
{
    const struct format *format = format_find("mixed24"), *rows_format = format_find("mixed24_rows");
    uint64_t random = 2;
    uint8_t panel[BYTES], rows[BYTES], packed[BYTES];
    float *w = malloc(MIXED24_ROWS * K * sizeof *w);
    assert_true(format && rows_format && w);
    format_fill(format, panel, STEPS, K, &random);
    to_rows(panel, rows);
    for (uint32_t row = 0; row < MIXED24_ROWS; row++) {
        for (uint32_t column = 0; column < K; column++) {
            double expected = format_weight(format, panel, K, row, column);
            assert_true(format_weight(rows_format, rows, K, row, column) == expected);
            w[row * K + column] = (float)expected;
        }
    }
    assert_int_equal(format_panel_bytes(rows_format, K), BYTES);
    assert_true(rows_format->bits == format->bits);
    format->pack(w, K, panel);
    rows_format->pack(w, K, packed);
    to_rows(panel, rows);
    assert_memory_equal(packed, rows, BYTES);
    free(w);
}

RUN_TESTS(NULL, NULL)
