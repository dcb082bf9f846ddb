/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which CPUs share a core that a hypervisor shows as two: from readings of machines that are made up, and of this one.
 */
#include <string.h>

#include "harness/measure/hidden_siblings.h"
#include "unit_test.h"

enum { CPUS = 6, PATTERNS = 7, NONE = 99 };

/* Bits 0, 1 and 2 of six CPUs, without and with; all. */
static const bool working[PATTERNS][CPUS] = {{1, 0, 1, 0, 1, 0}, {0, 1, 0, 1, 0, 1}, {1, 1, 0, 0, 1, 1},
                                             {0, 0, 1, 1, 0, 0}, {1, 1, 1, 1, 0, 0}, {0, 0, 0, 0, 1, 1},
                                             {1, 1, 1, 1, 1, 1}};

/** Readings of a machine on which with[i] shares i's core, and strangers take so much of the rest. */
static void made_up(const unsigned *with, double noise, double shared[PATTERNS][CPUS])
{
    for (unsigned p = 0; p < PATTERNS; p++) {
        for (unsigned i = 0; i < CPUS; i++) {
            bool together = with[i] != NONE && working[p][i] && working[p][with[i]];
            shared[p][i] = !working[p][i] ? 0 : together ? 1 - noise : noise;
        }
    }
}

static void expect(double shared[PATTERNS][CPUS], const unsigned *wanted)
{
    unsigned sibling[CPUS];
    const struct hidden_siblings_look look = {CPUS, PATTERNS, &working[0][0], &shared[0][0]};
    hidden_siblings_decide(&look, sibling);
    for (unsigned i = 0; i < CPUS; i++) {
        if (sibling[i] != (wanted[i] == NONE ? i : wanted[i]))
            fail_msg("CPU %u: %u", i, sibling[i]);
    }
}

TEST(neighbours_and_halves_are_told)
{
    static const unsigned neighbours[CPUS] = {1, 0, 3, 2, 5, 4}, halves[CPUS] = {3, 4, 5, 0, 1, 2},
                          one_pair[CPUS] = {NONE, 4, NONE, NONE, 1, NONE};
    double shared[PATTERNS][CPUS];
    for (int noisy = 0; noisy < 2; noisy++) {
        made_up(neighbours, noisy ? 0.2 : 0, shared);
        expect(shared, neighbours);
        made_up(halves, noisy ? 0.2 : 0, shared);
        expect(shared, halves);
        made_up(one_pair, noisy ? 0.2 : 0, shared);
        expect(shared, one_pair);
    }
}

TEST(strangers_are_no_siblings)
{
    static const unsigned alone[CPUS] = {NONE, NONE, NONE, NONE, NONE, NONE}, neighbours[CPUS] = {1, 0, 3, 2, 5, 4};
    double shared[PATTERNS][CPUS];
    made_up(alone, 0, shared);
    expect(shared, alone);
    made_up(alone, 1, shared); /* all the time, whichever thread works */
    expect(shared, alone);
    made_up(neighbours, 0.3, shared); /* too much to tell */
    expect(shared, alone);
}

/* One of a pair was disturbed whenever it was alone: the pair is not joined, the others are. */
TEST(one_that_is_not_clear_is_left_out_with_its_sibling)
{
    static const unsigned neighbours[CPUS] = {1, 0, 3, 2, 5, 4}, without[CPUS] = {NONE, NONE, 3, 2, 5, 4};
    double shared[PATTERNS][CPUS];
    made_up(neighbours, 0, shared);
    shared[0][0] = 1;
    expect(shared, without);
}

TEST(the_cores_of_this_machine_add_up)
{
    struct topology *topology;
    struct clock clock;
    char why[256];
    assert_int_equal(topology_open(NULL, &topology, why, sizeof why), 0);
    size_t cores = topology_core_count(topology);
    clock_calibrate(tsc_calibrate_hz(0.05), &clock);
    int joined = hidden_siblings_join(topology, &clock, clock_issue_width(&clock), why, sizeof why);
    if (joined < 0)
        fail_msg("%s", why);
    assert_true((size_t)joined <= cores / 2);
    assert_int_equal(topology_core_count(topology) + (size_t)joined, cores);
    assert_int_equal(topology_joined(topology), joined);
    topology_close(topology);
}

/* By a width that no core has all are shared, and the look is as long as it can be. */
TEST(a_look_ends_with_its_time)
{
    enum { GLANCE = 6, LEAST_PATTERNS = 3, READINGS = 12, NO_WIDTH = 1000 };
    struct topology *topology;
    struct clock clock;
    char why[256];
    assert_int_equal(topology_open(NULL, &topology, why, sizeof why), 0);
    size_t cores = topology_core_count(topology);
    bool looks = cores > 1 && topology_kind_count(topology) == 1 && topology_allowed_pus(topology) == cores;
    clock_calibrate(tsc_calibrate_hz(0.05), &clock);

    struct hidden_siblings_time none = {.most_s = -1}, long_enough = {.most_s = 600};
    assert_int_equal(hidden_siblings_join_within(topology, &clock, NO_WIDTH, &none, why, sizeof why), 0);
    assert_int_equal(none.readings, 0);
    assert_true(hidden_siblings_join_within(topology, &clock, NO_WIDTH, &long_enough, why, sizeof why) >= 0);
    if (looks)
        assert_true(long_enough.readings >= GLANCE + LEAST_PATTERNS * READINGS);
    else
        assert_int_equal(long_enough.readings, 0);
    topology_close(topology);
}

/* A recorded machine is not looked at; nor is any without an issue width to hold readings against. */
TEST(what_cannot_be_looked_at_stays)
{
    struct topology *topology;
    struct clock clock = {.tsc_hz = 1e9};
    char why[256];
    assert_int_equal(topology_open("platforms/fixtures/topology/guest_2_cores.xml", &topology, why, sizeof why), 0);
    assert_int_equal(hidden_siblings_join(topology, &clock, 4, why, sizeof why), 0);
    topology_close(topology);
    assert_int_equal(topology_open(NULL, &topology, why, sizeof why), 0);
    assert_int_equal(hidden_siblings_join(topology, &clock, 0, why, sizeof why), 0);
    topology_close(topology);
}

RUN_TESTS(NULL, NULL)
