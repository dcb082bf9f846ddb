/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "roofline/gamma_fit.h"
#include "unit_test.h"

static void assert_close(double value, double expected, double relative)
{
    if (!(fabs(value - expected) <= relative * fabs(expected)))
        fail_msg("%.6g is not within %g of %.6g", value, relative, expected);
}

/** gamma of 1 … count accumulators by the model, each a factor of noise off. */
static size_t make(struct gamma_point *points, size_t count, double plateau, double slope, double noise)
{
    uint64_t state = 88172645463325252u;
    for (size_t i = 0; i < count; i++) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        double wobble = 1 + noise * ((double)(state >> 11) * 0x1p-53 * 2 - 1);
        points[i] = (struct gamma_point){(unsigned)i + 1, fmax(plateau, slope / (double)(i + 1)) * wobble};
    }
    return count;
}

TEST(slope_and_plateau_are_told_apart)
{
    static const struct {
        double plateau, slope, noise;
        size_t count;
    } table[] = {{0.5, 5, 0, 12}, {0.917, 5, 0.01, 12}, {0.69, 5, 0.02, 8}, {1.7, 4, 0.01, 12}, {0.25, 2.5, 0.01, 12}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct gamma_point points[12];
        struct gamma_fit fit;
        make(points, table[i].count, table[i].plateau, table[i].slope, table[i].noise);
        assert_int_equal(gamma_fit(points, table[i].count, &fit), 0);
        assert_close(fit.plateau, table[i].plateau, 0.02);
        assert_close(fit.slope, table[i].slope, 0.02);
        assert_true(fit.residual <= 0.06);
        assert_true(fit.on_slope >= 1 && fit.on_slope < table[i].count);
    }
}

/** 5-cycle vpdpbusd, 4 accumulators: the paper's 2-bit gamma; 8 and 12 reach the ports of a Golden Cove. */
TEST(the_published_two_bit_sequence)
{
    static const struct gamma_point points[] = {{1, 5.0}, {2, 2.5}, {4, 1.25}, {8, 0.92}, {12, 0.917}};
    struct gamma_fit fit;
    assert_int_equal(gamma_fit(points, 5, &fit), 0);
    assert_close(fit.slope, 5, 1e-9);
    assert_close(fit.plateau, 0.9185, 1e-9);
    assert_int_equal(fit.on_slope, 3);
    assert_int_equal(gamma_binds(&fit, 4, 3.5, 6), GAMMA_LATENCY);
    assert_int_equal(gamma_binds(&fit, 8, 3.5, 6), GAMMA_PORTS);
    assert_int_equal(gamma_binds(&fit, 8, 3.5, 3.8), GAMMA_FRONTEND);
    assert_int_equal(gamma_binds(&fit, 8, 3.5, 0), GAMMA_PORTS);
}

TEST(all_on_one_side)
{
    struct gamma_point points[8];
    struct gamma_fit fit;
    make(points, 8, 0.01, 5, 0.01);
    assert_int_equal(gamma_fit(points, 8, &fit), 0);
    assert_close(fit.slope, 5, 0.02);
    assert_true(!isfinite(fit.plateau) || fit.plateau <= 5.0 / 8 * 1.02);
    assert_int_equal(gamma_binds(&fit, 4, 4, 6), GAMMA_LATENCY);

    make(points, 8, 1.7, 0.1, 0.02); /* flat but for noise */
    assert_int_equal(gamma_fit(points, 8, &fit), 0);
    assert_close(fit.plateau, 1.7, 0.02);
    assert_true(isnan(fit.slope));
    assert_int_equal(fit.on_slope, 0);
    assert_int_equal(gamma_binds(&fit, 1, 5, 6), GAMMA_PORTS);
}

TEST(one_disturbed_point_moves_nothing)
{
    struct gamma_point points[12];
    struct gamma_fit fit;
    make(points, 12, 0.8, 5, 0.005);
    points[9].gamma *= 1.6;
    assert_int_equal(gamma_fit(points, 12, &fit), 0);
    assert_close(fit.plateau, 0.8, 0.02);
    assert_close(fit.slope, 5, 0.02);
    assert_true(fit.residual > 0.5);
}

TEST(what_cannot_be_fitted)
{
    struct gamma_point points[] = {{1, 5}, {2, 2.5}, {2, 1.2}};
    struct gamma_fit fit;
    assert_int_equal(gamma_fit(points, 1, &fit), -1);
    assert_true(isnan(fit.plateau) && isnan(fit.slope));
    assert_int_equal(gamma_binds(&fit, 1, 4, 6), GAMMA_UNKNOWN);
    assert_int_equal(gamma_fit(points, 3, &fit), -1); /* not ascending */
    points[2] = (struct gamma_point){3, NAN};
    assert_int_equal(gamma_fit(points, 3, &fit), -1);
    points[2] = (struct gamma_point){3, 0};
    assert_int_equal(gamma_fit(points, 3, &fit), -1);
    assert_int_equal(gamma_fit(points, 0, &fit), -1);
    assert_int_equal(gamma_fit(points, 2, &fit), 0);
    assert_close(fit.slope, 5, 1e-9);
    assert_string_equal(gamma_bound_name(GAMMA_UNKNOWN), "");
    assert_string_equal(gamma_bound_name(GAMMA_FRONTEND), "frontend");
}

RUN_TESTS(NULL, NULL)
