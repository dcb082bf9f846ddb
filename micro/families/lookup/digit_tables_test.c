/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sums in digits: they give the dot product back, and as many as each sequence adds fit a byte.
 */
#include <string.h>

#include "micro/families/lookup/digit_tables.h"
#include "unit_test.h"

/** What the sequences use. */
static const struct shape {
    unsigned steps, fields, bits, radix;
} shapes[] = {
    {10, 4, 1, 25}, /* int1_nibbles_m32, int1_nibbles_m64 */
    {8, 6, 1, 32},  /* int1_sextets */
    {8, 2, 2, 32},  /* int2_nibbles */
};
enum { SHAPES = sizeof shapes / sizeof shapes[0], STEPS_MAX = 10, FIELDS_MAX = 6, CODES_MAX = 64, SEEDS = 64 };

TEST(digits_give_the_dot_product_back)
{
    for (unsigned s = 0; s < SHAPES; s++) {
        const struct shape *shape = &shapes[s];
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            int8_t activations[FIELDS_MAX];
            uint8_t low[CODES_MAX], high[CODES_MAX];
            digit_tables_draw(activations, shape->fields, seed);
            digit_tables_fill(low, high, activations, shape->fields, shape->bits, shape->radix);
            for (unsigned code = 0; code < 1u << shape->fields * shape->bits; code++) {
                int32_t sum = 0;
                for (unsigned i = 0; i < shape->fields; i++)
                    sum += (int32_t)(code >> i * shape->bits) % (1 << shape->bits) * activations[i];
                int32_t least = digit_tables_least(activations, shape->fields, shape->bits);
                assert_int_equal(low[code] + (int32_t)shape->radix * high[code] + least, sum);
            }
        }
    }
}

/** The widest offset is that of activations that are all 127, or all -127; digits of it and of all below it count. */
TEST(as_many_as_are_added_fit_a_byte)
{
    for (unsigned s = 0; s < SHAPES; s++) {
        const struct shape *shape = &shapes[s];
        unsigned codes = 1u << shape->fields * shape->bits;
        for (int sign = -1; sign <= 1; sign += 2) {
            int8_t activations[FIELDS_MAX];
            uint32_t widest = 0;
            memset(activations, sign * 127, sizeof activations);
            for (unsigned code = 0; code < codes; code++) {
                uint32_t offset = digit_tables_offset(activations, shape->fields, shape->bits, code);
                widest = offset > widest ? offset : widest;
            }
            assert_int_equal(widest, shape->fields * 127 * ((1u << shape->bits) - 1));
            assert_true(shape->steps * (shape->radix - 1) <= 255);
            assert_true(shape->steps * (widest / shape->radix) <= 255);
        }
    }
}

TEST(a_quarter_of_the_draws_is_the_worst_case)
{
    unsigned worst = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        int8_t activations[32];
        unsigned ends = 0;
        digit_tables_draw(activations, 32, seed);
        for (unsigned i = 0; i < 32; i++) {
            assert_true(activations[i] >= -127);
            ends += activations[i] == 127 || activations[i] == -127;
        }
        worst += ends == 32;
    }
    assert_int_equal(worst, SEEDS / 4);
}

/** Of words: whole, odd bytes alone, of the low digits and then of the high. */
TEST(the_reference_widens)
{
    static const int8_t activations[] = {127, 127, -1, 0}; /* two steps of two fields of a bit, radix 10 */
    static const uint8_t codes[] = {1, 3, 2, 1};           /* step 0: 127, 254; step 1: 0 + 1, -1 + 1 */
    static const uint16_t wanted[] = {(7 + 1) + 256 * 4, 4, 12 + 256 * 25, 25};
    for (uint32_t dot = 0; dot < 4; dot++) {
        uint16_t sum = 1000;
        digit_tables_refer(&sum, 1, dot, codes, activations, 2, 2, 1, 10);
        assert_int_equal(sum, 1000 + wanted[dot]);
    }
}

RUN_TESTS(NULL, NULL)
