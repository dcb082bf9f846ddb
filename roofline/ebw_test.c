/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "roofline/ebw.h"
#include "unit_test.h"

static const double gib = 1024.0 * 1024.0 * 1024.0;

/* The paper's numbers, [envelope, III-F]. */
static const double gamma_p_2bit = 1.25, gamma_e_2bit = 2.175, gamma_p_1bit = 2.4, gamma_e_1bit = 4.71;

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.6g is not within %.3g of %.6g", value, tolerance, expected);
}

TEST(vector_bytes_count_32_weights)
{
    assert_true(roofline_vector_bytes(2) == 8);
    assert_true(roofline_vector_bytes(1) == 4);
    assert_true(roofline_vector_bytes(8) == 32);
    assert_true(roofline_vector_bytes(4.5) == 18);
    assert_true(roofline_vector_bytes(64) == 256);
}

TEST(knees_are_those_of_the_paper)
{
    assert_near(roofline_knee(8, gamma_p_2bit), 6.4, 1e-12);
    assert_near(roofline_knee(8, gamma_e_2bit), 3.68, 0.005);
    assert_near(roofline_knee(4, gamma_p_1bit), 1.7, 0.05);
    assert_near(roofline_knee(4, gamma_e_1bit), 0.85, 0.005);
}

struct paper_beta {
    double gib_per_s, cores, hz, beta, tolerance;
};

/* [envelope, IV-B]: its "GB/s" are GiB/s. On ARL it rounds the share of a core to 4 before it divides by the clock. */
TEST(betas_follow_from_the_shares_in_gib)
{
    static const struct paper_beta table[] = {
        {98, 24, 5.4e9, 0.80, 0.02},  {98, 24, 4.5e9, 0.95, 0.03}, {75, 14, 4.0e9, 1.44, 0.005},
        {75, 14, 3.6e9, 1.60, 0.005}, {97, 8, 4.1e9, 3.18, 0.01},  {97, 8, 3.7e9, 3.52, 0.005},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        double beta = table[i].gib_per_s * gib / table[i].cores / table[i].hz;
        assert_near(beta, table[i].beta, table[i].tolerance);
    }
    assert_near(4 * gib / 5.4e9, 0.80, 0.005);
    assert_near(4 * gib / 4.5e9, 0.95, 0.005);
}

TEST(per_core_limits_are_those_of_the_paper)
{
    assert_near(roofline_effective_bandwidth(1.6, 4, gamma_e_1bit) * 3.6e9 / gib, 2.85, 0.01);
    assert_near(roofline_effective_bandwidth(3.52, 4, gamma_e_1bit) * 3.7e9 / gib, 2.92, 0.01);
    /* The paper rounds the knee to 1.7 first. */
    assert_near(roofline_effective_bandwidth(3.18, 4, 4 / 1.7) * 4.1e9 / gib, 6.5, 0.05);
}

TEST(machine_bandwidths_are_those_of_the_paper)
{
    const struct roofline_kind arlh[] = {{6, 4.0e9, 1.44, gamma_p_1bit}, {8, 3.6e9, 1.6, gamma_e_1bit}};
    assert_near(roofline_machine_bandwidth(arlh, 2, 4) / gib, 55, 0.5);
    const struct roofline_kind lnl[] = {{4, 4.1e9, 3.18, gamma_p_1bit}, {4, 3.7e9, 3.52, gamma_e_1bit}};
    assert_near(roofline_machine_bandwidth(lnl, 2, 4) / gib, 37, 0.5);
    const struct roofline_kind lnl_2bit[] = {{4, 4.1e9, 3.18, gamma_p_2bit}, {4, 3.7e9, 3.52, gamma_e_2bit}};
    assert_near(roofline_machine_bandwidth(lnl_2bit, 2, 8) / gib, 97, 0.2);
}

TEST(sides_that_bind_are_those_of_the_paper)
{
    assert_int_equal(roofline_binds(1.44, 4, gamma_p_1bit), ROOFLINE_MEMORY);
    assert_int_equal(roofline_binds(1.6, 4, gamma_e_1bit), ROOFLINE_UPCONVERT);
    assert_int_equal(roofline_binds(3.52, 8, gamma_e_2bit), ROOFLINE_MEMORY);
    assert_int_equal(roofline_binds(3.18, 4, gamma_p_1bit), ROOFLINE_UPCONVERT);
    assert_int_equal(roofline_binds(4, 8, 2), ROOFLINE_MEMORY);
    assert_string_equal(roofline_bound_name(ROOFLINE_MEMORY), "memory");
    assert_string_equal(roofline_bound_name(ROOFLINE_UPCONVERT), "up-convert");
}

TEST(without_overlap_times_add_up)
{
    /* 8 bytes at 4 a cycle: 2 cycles, plus 2 of computing. */
    assert_near(roofline_effective_bandwidth_serial(4, 8, 2), 2, 1e-12);
    const struct roofline_kind kinds[] = {{2, 3e9, 4, 2}, {0, NAN, NAN, NAN}};
    assert_near(roofline_machine_bandwidth_serial(kinds, 2, 8), 12e9, 1);
    assert_near(roofline_machine_bandwidth(kinds, 2, 8), 24e9, 1);
    assert_near(roofline_gemv_seconds_serial(kinds, 2, 8, 12e9, 0.5), 1.5, 1e-12);
}

TEST(gemv_adds_the_synchronisation)
{
    /* [envelope, IV-B]: 1600x1600 at 2 bits and 98 GiB/s takes 6 us; 1 us of fork, join and barrier beside it. */
    const struct roofline_kind arl[] = {{8, 5.4e9, 98 * gib / 24 / 5.4e9, gamma_p_2bit},
                                        {16, 4.5e9, 98 * gib / 24 / 4.5e9, gamma_e_2bit}};
    assert_near(roofline_gemv_seconds(arl, 2, 8, 1600 * 1600 / 4, 0), 6e-6, 0.1e-6);
    assert_near(roofline_gemv_seconds(arl, 2, 8, 1600 * 1600 / 4, 1e-6), 7e-6, 0.1e-6);
}

TEST(overlap_is_measured_between_sum_and_larger)
{
    assert_true(roofline_overlap(10, 10, 4) == 1);
    assert_true(roofline_overlap(14, 10, 4) == 0);
    assert_true(roofline_overlap(12, 4, 10) == 0.5);
    assert_true(roofline_overlap(16, 10, 4) == -0.5);
    assert_true(roofline_overlap(8, 10, 4) == 1.5);
    assert_true(isnan(roofline_overlap(100, 100, 1.9)));
    assert_true(roofline_overlap(100, 100, 2) == 1);
}

TEST(overlap_of_a_stream_is_that_of_its_bytes)
{
    /* 8 bytes: 2 cycles from memory, 1 of computing */
    assert_near(roofline_bandwidth_overlap(4, 4, 8, 1), 1, 1e-12);
    assert_near(roofline_bandwidth_overlap(8 / 3.0, 4, 8, 1), 0, 1e-12);
    assert_near(roofline_bandwidth_overlap(8 / 2.5, 4, 8, 1), 0.5, 1e-12);
    assert_near(roofline_bandwidth_overlap(8 / 4.0, 4, 8, 1), -1, 1e-12);
    assert_true(isnan(roofline_bandwidth_overlap(4, 4, 8, 0.03))); /* computing is 1.5% of memory's time */
    const double beta = 5, bytes = 4, gamma = 1.3;
    double both = roofline_effective_bandwidth(beta, bytes, gamma),
           serial = roofline_effective_bandwidth_serial(beta, bytes, gamma);
    assert_near(roofline_bandwidth_overlap(both, beta, bytes, gamma), 1, 1e-12);
    assert_near(roofline_bandwidth_overlap(serial, beta, bytes, gamma), 0, 1e-12);
}

TEST(at_a_distance_from_the_knee_all_sequences_are_one_curve)
{
    assert_near(roofline_knee_distance(roofline_knee(8, 1.25), 8, 1.25), 1, 1e-12);
    static const double betas[] = {0.5, 1.7, 4, 6.4, 20}, gammas[] = {0.5, 1.25, 4.71}, bytes[] = {4, 8, 18};
    for (size_t b = 0; b < COUNT(betas); b++) {
        for (size_t s = 0; s < COUNT(gammas); s++) {
            double x = roofline_knee_distance(betas[b], bytes[s], gammas[s]), ceiling = bytes[s] / gammas[s];
            assert_near(roofline_effective_bandwidth(betas[b], bytes[s], gammas[s]) / ceiling, fmin(x, 1), 1e-12);
            assert_near(roofline_effective_bandwidth_serial(betas[b], bytes[s], gammas[s]) / ceiling, x / (1 + x),
                        1e-12);
        }
    }
}

struct paper_speedup {
    double alpha, x, speedup;
};

/*
 * [envelope, IV-D] prints alpha with two digits and the speedup with two: the true ones lie half a digit around them.
 */
TEST(amdahl_is_that_of_the_paper)
{
    static const struct paper_speedup table[] = {{0.87, 8, 4.3}, {0.87, 16, 5.5}, {0.96, 8, 6.1}, {0.96, 16, 9.6}};
    for (size_t i = 0; i < COUNT(table); i++) {
        assert_true(roofline_amdahl(table[i].alpha - 0.005, table[i].x) < table[i].speedup + 0.05);
        assert_true(roofline_amdahl(table[i].alpha + 0.005, table[i].x) > table[i].speedup - 0.05);
    }
    assert_near(roofline_amdahl(0.87, 8), 4.18848, 1e-5);
    assert_near(roofline_amdahl(0.96, 8), 6.25, 1e-12);
    assert_near(roofline_amdahl(0.96, 16), 10, 1e-12);
    assert_true(roofline_amdahl(0, 8) == 1);
    assert_true(roofline_amdahl(1, 8) == 8);
}

TEST(arguments_out_of_range_give_nan)
{
    static const double bad[] = {0, -1, NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < COUNT(bad); i++) {
        assert_true(isnan(roofline_vector_bytes(bad[i])));
        assert_true(isnan(roofline_knee(bad[i], 1)) && isnan(roofline_knee(8, bad[i])));
        for (int where = 0; where < 3; where++) {
            double a[] = {4, 8, 2};
            a[where] = bad[i];
            assert_true(isnan(roofline_effective_bandwidth(a[0], a[1], a[2])));
            assert_true(isnan(roofline_effective_bandwidth_serial(a[0], a[1], a[2])));
            assert_true(isnan(roofline_overlap(a[0], a[1], a[2])));
            assert_true(isnan(roofline_knee_distance(a[0], a[1], a[2])));
            assert_true(isnan(roofline_bandwidth_overlap(3, a[0], a[1], a[2])));
        }
        assert_true(isnan(roofline_bandwidth_overlap(bad[i], 4, 8, 2)));
        const struct roofline_kind kinds[] = {{2, 3e9, 4, 2}, {2, bad[i], 4, 2}};
        assert_true(isnan(roofline_machine_bandwidth(kinds, 2, 8)));
        assert_true(isnan(roofline_machine_bandwidth(kinds, 1, bad[i])));
        assert_true(isnan(roofline_gemv_seconds(kinds, 1, 8, bad[i], 0)));
        assert_true(isnan(roofline_amdahl(0.5, bad[i])));
    }
    const struct roofline_kind one = {2, 3e9, 4, 2}, none = {0, 3e9, 4, 2};
    assert_true(isnan(roofline_machine_bandwidth(&one, 0, 8)));
    assert_true(isnan(roofline_machine_bandwidth(&none, 1, 8)));
    assert_true(isnan(roofline_gemv_seconds(&one, 1, 8, 1, -1e-9)));
    assert_true(isnan(roofline_gemv_seconds(&one, 1, 8, 1, NAN)));
    assert_true(isnan(roofline_amdahl(-0.1, 8)) && isnan(roofline_amdahl(1.1, 8)) && isnan(roofline_amdahl(NAN, 8)));
    assert_true(isnan(roofline_vector_bytes(64.5)));
}

RUN_TESTS(NULL, NULL)
