/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "platforms/clock/clock.h"
#include "platforms/topology/topology.h"

/**
 * Hardware threads of one core that a hypervisor shows as cores of their own. A team of all of them has two members on
 * every core, and each sample is one of a shared core. Which CPUs share a core is timed: of two hardware threads that
 * both issue, each has about half of the slots (CLOCK_SHARED_WIDTH), and all of them while the other sleeps.
 *
 * CPUs work in patterns: for every bit of their numbers, first those that have it and then those that do not, and at last
 * all. Two siblings differ in a bit, so that each works once without the other.
 */
struct hidden_siblings_look {
    unsigned cpus, patterns;
    const bool *working;  /* [patterns][cpus] */
    const double *shared; /* [patterns][cpus] share of the readings with a shared core, 0 to 1; of those that work */
};

/** A CPU's core is taken for shared in a pattern from this share of the readings on, and for its own up to the rest. */
#define HIDDEN_SIBLINGS_SHARE 0.75

/**
 * The CPU that shares the core of each, from what all patterns say. Pure.
 * @param sibling  out: [cpus] the sibling of each; its own number: none, or not told clearly
 */
void hidden_siblings_decide(const struct hidden_siblings_look *look, unsigned *sibling);

/**
 * Look for them, and join the cores that are one (topology_join_cores). Only where a hypervisor may hide them: in a
 * virtual machine that shows no hardware threads, with two cores or more, all of one kind. Two milliseconds where each
 * CPU has its core for itself, a tenth of a second where not; after a second the look ends, and nothing is joined. No team may run meanwhile.
 * @param issue_width  of an undisturbed core, uops a cycle
 * @return how many CPUs were joined to another's core, or negative errno with one line in why
 */
int hidden_siblings_join(struct topology *topology, const struct clock *clock, double issue_width, char *why,
                         size_t size);

struct hidden_siblings_time {
    double most_s;     /* no reading begins after so long; then nothing is joined */
    unsigned readings; /* out: begun by all CPUs */
};

/** The same within a time. */
int hidden_siblings_join_within(struct topology *topology, const struct clock *clock, double issue_width,
                                struct hidden_siblings_time *time, char *why, size_t size);
