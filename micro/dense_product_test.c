/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Products of doubles against three loops: sizes around those of tiles and blocks, both signs, transposes, and nothing beside C.
 */
#include "micro/dense_product.h"

#include <math.h>
#include <stdlib.h>

#include "micro/isa/random.h"
#include "unit_test.h"

enum { MOST = 200, STRIDE = MOST + 3 };

static double a[MOST * STRIDE], b[MOST * STRIDE], c[MOST * STRIDE], expected[MOST * STRIDE];

static void draw(double *of, uint64_t *random)
{
    for (size_t i = 0; i < MOST * STRIDE; i++)
        of[i] = (double)random_float(random);
}

static void check(size_t rows, size_t columns, size_t depth, struct dense_operand of_a, struct dense_operand of_b,
                  double sign)
{
    for (size_t i = 0; i < MOST * STRIDE; i++)
        expected[i] = c[i];
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns; j++) {
            for (size_t t = 0; t < depth; t++)
                expected[i * STRIDE + j] +=
                    sign * of_a.at[i * of_a.row + t * of_a.column] * of_b.at[t * of_b.row + j * of_b.column];
        }
    }
    dense_multiply_add(c, STRIDE, rows, columns, depth, of_a, of_b, sign);
    for (size_t i = 0; i < MOST * STRIDE; i++) {
        const bool within = i / STRIDE < rows && i % STRIDE < columns;
        assert_true(within ? fabs(c[i] - expected[i]) < 1e-12 : c[i] == expected[i]);
    }
}

TEST(products_are_those_of_three_loops)
{
    static const size_t sizes[][3] = {{1, 1, 1},     {4, 4, 4},     {3, 5, 0},    {0, 4, 4},
                                      {65, 63, 129}, {16, 130, 16}, {130, 7, 200}};
    uint64_t random = 1;
    draw(a, &random);
    draw(b, &random);
    draw(c, &random);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const size_t *size = sizes[i];
        check(size[0], size[1], size[2], (struct dense_operand){a, STRIDE, 1}, (struct dense_operand){b, STRIDE, 1}, 1);
        check(size[0], size[1], size[2], (struct dense_operand){a, 1, STRIDE}, (struct dense_operand){b, 1, STRIDE},
              -1);
    }
}

RUN_TESTS(NULL, NULL)
