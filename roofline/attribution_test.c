/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "roofline/attribution.h"
#include "roofline/overlap.h"
#include "unit_test.h"

static const struct attribution_work work = {.bytes = 4e6, .vectors = 5e5};

/** A side whose time is what the model says. */
static struct attribution_side side_of(double gamma, double clock_hz, double roof, double omega, double start_s)
{
    double reading = work.bytes / roof, computing = gamma * work.vectors / clock_hz;
    return (struct attribution_side){start_s + overlap_time(reading, computing, omega), gamma, clock_hz, roof, start_s};
}

static const double gamma0 = 1.2, clock0 = 3.5e9, roof0 = 2e10, omega0 = 0.8, start0 = 1e-6;

static struct attribution attribute(struct attribution_side base, struct attribution_side head)
{
    struct attribution result;
    assert_true(attribution_of(&work, &base, &head, &result));
    double sum = result.unexplained;
    for (int term = 0; term < ATTRIBUTION_TERMS; term++)
        sum += result.part[term];
    assert_true(fabs(sum - result.effect) < 1e-12);
    assert_true(fabs(result.effect - log(head.time_s / base.time_s)) < 1e-12);
    return result;
}

TEST(each_number_alone_explains_all_of_it)
{
    struct attribution_side base = side_of(gamma0, clock0, roof0, omega0, start0);
    const struct attribution_side changed[ATTRIBUTION_TERMS] = {
        [ATTRIBUTION_GAMMA] = side_of(1.1 * gamma0, clock0, roof0, omega0, start0),
        [ATTRIBUTION_CLOCK] = side_of(gamma0, 0.9 * clock0, roof0, omega0, start0),
        [ATTRIBUTION_ROOF] = side_of(gamma0, clock0, 0.9 * roof0, omega0, start0),
        [ATTRIBUTION_OMEGA] = side_of(gamma0, clock0, roof0, 0.5, start0),
        [ATTRIBUTION_START] = side_of(gamma0, clock0, roof0, omega0, 30 * start0),
    };
    for (int term = 0; term < ATTRIBUTION_TERMS; term++) {
        struct attribution result = attribute(base, changed[term]);
        for (int other = 0; other < ATTRIBUTION_TERMS; other++) {
            double expected = other == term ? result.effect : 0;
            assert_true(result.known[other]);
            if (fabs(result.part[other] - expected) > 1e-9)
                fail_msg("%s of %s: %g, not %g", attribution_term_name((enum attribution_term)other),
                         attribution_term_name((enum attribution_term)term), result.part[other], expected);
        }
        assert_true(result.effect > 0.01 && fabs(result.unexplained) < 1e-9);
    }
}

TEST(two_changes_share_the_effect_and_its_reverse_is_the_same)
{
    struct attribution_side base = side_of(gamma0, clock0, roof0, omega0, start0);
    struct attribution_side head = side_of(1.1 * gamma0, clock0, 0.9 * roof0, omega0, start0);
    struct attribution forth = attribute(base, head), back = attribute(head, base);
    assert_true(forth.part[ATTRIBUTION_GAMMA] > 0.01 && forth.part[ATTRIBUTION_ROOF] > 0.01);
    assert_true(fabs(forth.unexplained) < 1e-9);
    for (int term = 0; term < ATTRIBUTION_TERMS; term++)
        assert_true(fabs(forth.part[term] + back.part[term]) < 1e-12);
}

/** Slower than one after the other, or faster than either alone: no overlap does that. */
TEST(what_the_model_cannot_do_is_unexplained)
{
    struct attribution_side base = side_of(gamma0, clock0, roof0, 0, start0), head = base;
    head.time_s *= 1.2;
    struct attribution result = attribute(base, head);
    assert_true(fabs(result.unexplained - log(1.2)) < 1e-9);
    /* from 0.5 on omega explains the way to 0, and no further */
    base = side_of(gamma0, clock0, roof0, 0.5, start0);
    result = attribute(base, head);
    assert_true(result.part[ATTRIBUTION_OMEGA] > 0.05 && fabs(result.unexplained - log(1.2)) < 1e-9);
}

TEST(numbers_that_are_not_known_explain_nothing)
{
    struct attribution_side base = side_of(gamma0, clock0, roof0, omega0, start0);
    struct attribution_side head = side_of(1.1 * gamma0, clock0, roof0, omega0, start0);
    /* warm in L1: no roof; all of the time computes */
    base.roof_bytes_per_s = head.roof_bytes_per_s = base.start_s = head.start_s = NAN;
    base.time_s = gamma0 * work.vectors / clock0;
    head.time_s = 1.12 * base.time_s;
    struct attribution result = attribute(base, head);
    assert_true(fabs(result.part[ATTRIBUTION_GAMMA] - log(1.1)) < 1e-12);
    assert_true(fabs(result.unexplained - log(1.12 / 1.1)) < 1e-12);
    assert_false(result.known[ATTRIBUTION_ROOF] || result.known[ATTRIBUTION_OMEGA]);
    /* a gamma of one side only is no change, but it is there to compute with */
    base = side_of(gamma0, clock0, roof0, omega0, start0);
    head = side_of(gamma0, clock0, 0.9 * roof0, omega0, start0);
    head.gamma = NAN;
    result = attribute(base, head);
    assert_true(!result.known[ATTRIBUTION_GAMMA] && result.part[ATTRIBUTION_GAMMA] == 0);
    assert_true(fabs(result.part[ATTRIBUTION_ROOF] - result.effect) < 1e-9);
    /* neither gamma nor a roof */
    base.gamma = head.gamma = base.roof_bytes_per_s = head.roof_bytes_per_s = NAN;
    assert_false(attribution_of(&work, &base, &head, &result));
    base = head = side_of(gamma0, clock0, roof0, omega0, start0);
    head.time_s = NAN;
    assert_false(attribution_of(&work, &base, &head, &result));
}

RUN_TESTS(NULL, NULL)
