/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "results/statistics/holm.h"
#include "unit_test.h"

static void assert_close(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-12))
        fail_msg("%.15g is not %.15g", value, expected);
}

/* The usual worked example: 0.01, 0.04, 0.03, 0.005 at 5% reject the first and the last. */
TEST(worked_example)
{
    static const double p[] = {0.01, 0.04, 0.03, 0.005};
    double adjusted[4], level[4];
    assert_int_equal(holm_adjust(p, 4, adjusted), 0);
    assert_close(adjusted[0], 0.03);
    assert_close(adjusted[1], 0.06);
    assert_close(adjusted[2], 0.06);
    assert_close(adjusted[3], 0.02);
    assert_int_equal(holm_levels(p, 4, 0.05, level), 0);
    assert_close(level[3], 0.05 / 4);
    assert_close(level[0], 0.05 / 3);
    assert_close(level[2], 0.05 / 2);
    assert_close(level[1], 0.05 / 2); /* the end came before its own turn */
}

TEST(level_and_adjusted_p_reject_the_same)
{
    uint64_t random = 1;
    for (int round = 0; round < 500; round++) {
        double p[8], adjusted[8], level[8];
        for (int i = 0; i < 8; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            p[i] = (double)(random >> 40) / (1 << 24);
            p[i] = round % 2 ? p[i] * p[i] * p[i] : round % 3 ? 0.05 / (double)(1 + random % 9) : p[i];
        }
        holm_adjust(p, 8, adjusted);
        holm_levels(p, 8, 0.05, level);
        for (int i = 0; i < 8; i++)
            assert_int_equal(adjusted[i] <= 0.05 * (1 + 1e-12), p[i] <= level[i] * (1 + 1e-12));
    }
}

TEST(one_alone_is_not_adjusted)
{
    double p = 0.025, adjusted, level;
    holm_adjust(&p, 1, &adjusted);
    holm_levels(&p, 1, 0.025, &level);
    assert_close(adjusted, 0.025);
    assert_close(level, 0.025);
    assert_int_equal(holm_adjust(NULL, 0, NULL), 0);
    assert_int_equal(holm_levels(NULL, 0, 0.05, NULL), 0);
}

TEST(unknown_p_rejects_nothing)
{
    static const double p[] = {NAN, 0.001, 1};
    double adjusted[3], level[3];
    holm_adjust(p, 3, adjusted);
    assert_close(adjusted[0], 1);
    assert_close(adjusted[1], 0.003);
    assert_close(adjusted[2], 1);
    holm_levels(p, 3, 0.05, level);
    assert_close(level[0], 0.025);
    assert_close(level[2], 0.025);
}

RUN_TESTS(NULL, NULL)
