/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Element-wise look-up tables against the tables that the paper prints.
 */
#include <errno.h>
#include <math.h>

#include "micro/quantization/elut.h"
#include "unit_test.h"

static struct elut made(uint32_t cardinality, uint32_t group)
{
    struct elut elut;
    assert_int_equal(elut_make(cardinality, group, &elut), 0);
    return elut;
}

/* [bitnet-cpp, table 3] and the two designs of 3.1.1 */
TEST(bits_per_weight_are_those_of_table_3)
{
    static const struct {
        uint32_t cardinality, group;
        double bits; /* of a weight */
        uint32_t entries, mirrored;
    } cases[] = {
        {3, 3, 5.0 / 3, 14, 1}, {4, 2, 2, 16, 0}, {5, 2, 2.5, 13, 1}, {3, 2, 2, 9, 0}, {2, 4, 1, 16, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct elut elut = made(cases[i].cardinality, cases[i].group);
        assert_true(fabs((double)(elut.index_bits + elut.mirrored) / elut.group - cases[i].bits) < 1e-12);
        assert_int_equal(elut.entries, cases[i].entries);
        assert_int_equal(elut.mirrored, cases[i].mirrored);
    }
}

TEST(codes_are_those_of_tables_5_and_6)
{
    struct elut pair = made(3, 2), triple = made(3, 3);
    for (int32_t i = 0; i < 9; i++)
        assert_int_equal(elut_encode(&pair, (int32_t[]){i / 3 - 1, i % 3 - 1}), i);
    static const struct {
        int32_t weights[3];
        uint32_t sign, index;
    } rows[] = {
        {{-1, -1, -1}, 1, 13}, {{-1, -1, 0}, 1, 12}, {{-1, -1, 1}, 1, 11}, {{-1, 0, -1}, 1, 10}, {{0, 0, 0}, 0, 0},
        {{1, 0, 1}, 0, 10},    {{1, 1, -1}, 0, 11},  {{1, 1, 0}, 0, 12},   {{1, 1, 1}, 0, 13},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(elut_encode(&triple, rows[i].weights), rows[i].sign << 4 | rows[i].index);
}

/** Every group of every C and g comes back, and no two have one code. */
TEST(every_group_comes_back)
{
    for (uint32_t cardinality = 2; cardinality <= 6; cardinality++) {
        for (uint32_t group = 1; group <= ELUT_GROUP_MOST; group++) {
            struct elut elut = made(cardinality, group);
            uint8_t seen[1 << 12] = {0};
            uint32_t count = 1;
            for (uint32_t i = 0; i < group; i++)
                count *= cardinality;
            for (uint32_t number = 0; number < count; number++) {
                int32_t weights[ELUT_GROUP_MOST];
                for (uint32_t i = 0, rest = number; i < group; i++, rest /= cardinality)
                    weights[i] = (int32_t)(rest % cardinality) - (int32_t)cardinality / 2;
                uint32_t code = elut_encode(&elut, weights);
                assert_true(code < sizeof seen && (code & ((1u << elut.index_bits) - 1)) < elut.entries);
                assert_int_equal(seen[code]++, 0);
                for (uint32_t i = 0; i < group; i++)
                    assert_int_equal(elut_decode(&elut, code, i), weights[i]);
            }
        }
    }
}

TEST(a_table_multiplies_to_the_sums_of_its_codes)
{
    static const int32_t activations[] = {100, -7, 3};
    struct elut triple = made(3, 3);
    int32_t sums[ELUT_TABLE] = {0};
    for (uint32_t position = 0; position < 3; position++) {
        int16_t coefficients[ELUT_TABLE];
        elut_coefficients(&triple, position, coefficients);
        for (uint32_t i = 0; i < ELUT_TABLE; i++)
            sums[i] += coefficients[i] * activations[position];
    }
    /* 2 = 3 - 1: (0, 1, -1); 5 = 9 - 3 - 1: (1, -1, -1) */
    static const int32_t expected[ELUT_TABLE] = {0, 3, -10, -7, -4, 104, 107, 110, 97, 100, 103, 90, 93, 96, 0, 0};
    for (uint32_t i = 0; i < ELUT_TABLE; i++)
        assert_int_equal(sums[i], expected[i]);
}

TEST(what_is_out_of_range_is_refused)
{
    struct elut elut;
    assert_int_equal(elut_make(1, 2, &elut), -EINVAL);
    assert_int_equal(elut_make(17, 2, &elut), -EINVAL);
    assert_int_equal(elut_make(3, 0, &elut), -EINVAL);
    assert_int_equal(elut_make(3, 5, &elut), -EINVAL);
}

RUN_TESTS(NULL, NULL)
