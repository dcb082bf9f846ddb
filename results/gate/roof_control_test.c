/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "results/gate/roof_control.h"
#include "unit_test.h"

enum { PAIRS = 8 };

/* Memory as it was read on both sides of each pair, in seconds. */
static const double base_roof[PAIRS] = {1.0, 1.4, 1.1, 1.6, 1.0, 1.2, 1.5, 1.0};
static const double head_roof[PAIRS] = {1.3, 1.0, 1.1, 1.2, 1.6, 1.0, 1.0, 1.1};

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-12))
        fail_msg("%.17g is not %.17g", value, expected);
}

/** Times that go with a power of the roof's, head longer by a factor. */
static void follow(double slope, double loss, double *base, double *head)
{
    for (size_t i = 0; i < PAIRS; i++) {
        base[i] = 3 * pow(base_roof[i], slope);
        head[i] = 3 * loss * pow(head_roof[i], slope);
    }
}

TEST(what_the_roof_explains_is_taken_off_and_a_loss_stays)
{
    static const double slopes[] = {0, 0.4, 1};
    for (size_t s = 0; s < sizeof slopes / sizeof *slopes; s++) {
        double base[PAIRS], head[PAIRS];
        follow(slopes[s], 1.05, base, head);
        const struct roof_pairs pairs = {base, head, base_roof, head_roof, PAIRS};
        double slope = roof_control_slope(&pairs);
        assert_near(slope, slopes[s]);
        for (size_t i = 0; i < PAIRS; i++)
            assert_near(roof_control_head(&pairs, i, slope) / base[i], 1.05);
    }
}

TEST(exchanging_the_sides_of_a_pair_leaves_the_slope)
{
    double base[PAIRS] = {1, 1.3, 1.2, 1.5, 1.1, 1, 1.2, 1.1}, head[PAIRS] = {1.2, 1, 1.3, 1.1, 1.4, 1.2, 1, 1};
    double roofs[2][PAIRS];
    for (size_t i = 0; i < PAIRS; i++) {
        roofs[0][i] = base_roof[i];
        roofs[1][i] = head_roof[i];
    }
    const struct roof_pairs pairs = {base, head, roofs[0], roofs[1], PAIRS};
    double slope = roof_control_slope(&pairs);
    assert_true(slope > 0.1 && slope < 0.9);
    for (size_t i = 0; i < PAIRS; i += 3) {
        double ratio = roof_control_head(&pairs, i, slope) / base[i], was[] = {base[i], head[i]};
        double roof = roofs[0][i];
        base[i] = was[1];
        head[i] = was[0];
        roofs[0][i] = roofs[1][i];
        roofs[1][i] = roof;
        assert_near(roof_control_slope(&pairs), slope);
        assert_near(roof_control_head(&pairs, i, slope) / base[i], 1 / ratio);
    }
}

TEST(a_slope_is_between_0_and_1)
{
    double base[PAIRS], head[PAIRS];
    const struct roof_pairs pairs = {base, head, base_roof, head_roof, PAIRS};
    follow(1.5, 1, base, head);
    assert_near(roof_control_slope(&pairs), 1);
    follow(-0.5, 1, base, head);
    assert_near(roof_control_slope(&pairs), 0);
}

TEST(without_roofs_values_stay)
{
    double base[PAIRS], head[PAIRS], unknown[PAIRS], steady[PAIRS];
    follow(1, 1.1, base, head);
    for (size_t i = 0; i < PAIRS; i++) {
        unknown[i] = i < 4 ? base_roof[i] : (double)NAN;
        steady[i] = 2;
    }
    struct roof_pairs pairs = {base, head, unknown, head_roof, PAIRS};
    assert_near(roof_control_slope(&pairs), 0); /* four are known */
    assert_near(roof_control_head(&pairs, 5, 1), head[5]);
    pairs = (struct roof_pairs){base, head, steady, steady, PAIRS};
    assert_near(roof_control_slope(&pairs), 0);
}

RUN_TESTS(NULL, NULL)
