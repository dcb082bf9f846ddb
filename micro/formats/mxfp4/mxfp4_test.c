/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MXFP4 as the checks of its sequences take it.
 */
#include <stdlib.h>
#include <string.h>

#include "micro/formats/mxfp4/mxfp4.h"
#include "unit_test.h"

enum { ROWS = 8, WEIGHTS = 17 * ROWS, ACTIVATIONS = 36 * ROWS };

/** [OCP Microscaling Formats 1.0, table of E2M1] */
TEST(codes_are_e2m1)
{
    static const double values[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
    for (unsigned code = 0; code < 16; code++)
        assert_true(mxfp4_twice(code) == 2 * values[code % 8] * (code < 8 ? 1 : -1));
}

/** One weight, one activation: where they meet, and with which scale. */
TEST(a_weight_meets_its_activation)
{
    for (unsigned row = 0; row < ROWS; row++) {
        for (unsigned column = 0; column < 32; column++) {
            uint8_t weights[WEIGHTS] = {0}, activations[ACTIVATIONS] = {0};
            float sum[ROWS] = {0};
            double magnitude[ROWS] = {0};
            weights[(column / 8 * ROWS + row) * 4 + column % 4] = column / 4 % 2 ? 0xf0 : 0x0f; /* -6 */
            memset(weights + 16 * ROWS, 127, ROWS);
            weights[16 * ROWS + row] = 127 + 3;
            for (unsigned i = 0; i < 32; i++)
                activations[(i / 4 * ROWS + row) * 4 + i % 4] = (uint8_t)(i + 1);
            struct sequence_data data = {weights, activations};
            mxfp4_refer(&data, ROWS, sum, magnitude);
            for (unsigned i = 0; i < ROWS; i++) {
                double wanted = i == row ? -12.0 * 8 * (column + 1) : 0;
                assert_true((double)sum[i] == wanted && magnitude[i] == -wanted);
            }
            mxfp4_refer(&data, ROWS, sum, NULL);
            assert_true((double)sum[row] == -24.0 * 8 * (column + 1));
        }
    }
}

TEST(fills_state_where_sums_start)
{
    for (uint64_t seed = 0; seed < 8; seed++) {
        uint8_t weights[WEIGHTS], activations[ACTIVATIONS];
        mxfp4_fill(ROWS, 12, weights, activations, seed);
        for (unsigned row = 0; row < ROWS; row++) {
            int32_t start, total = 0, least = 127;
            memcpy(&start, activations + 32 * ROWS + 4 * row, sizeof start);
            for (unsigned i = 0; i < 32; i++) {
                int32_t a = (int8_t)activations[(i / 4 * ROWS + row) * 4 + i % 4];
                assert_true(a >= -127);
                least = abs(a) < least ? abs(a) : least;
                total += a;
            }
            assert_int_equal(start, -12 * total);
            assert_in_range(weights[16 * ROWS + row], 1, 254);
            assert_true((least == 127) == (seed % 4 == 0));
        }
    }
}

RUN_TESTS(NULL, NULL)
