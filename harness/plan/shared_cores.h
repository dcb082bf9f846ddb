/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

#include "harness/measure/session.h"

/**
 * Cores that strangers share. A hypervisor may run a virtual CPU on one hardware thread of a core and another guest's on
 * the other, and not say so: each gets half of the issue slots while both run. The sampler rejects such samples one by
 * one; on a host where most cores are shared most of the time no sample of a large team is ever kept, and a budget is
 * spent on nothing. Looked at beforehand, the team can be one that can be measured here.
 */
struct shared_cores {
    unsigned threads, rounds;
    double *width; /* [rounds][threads] uops a cycle, all members at the same time; 0 where it could not be read */
    double *alone; /* [threads] the same of a core of the member's kind without a neighbour; 0: not known */
};

/** At this share of all instants it takes four tries to find a team undisturbed. */
#define SHARED_CORES_LEAST 0.25

/** Share of the rounds in which none of these members' cores was shared, 0 to 1; 1 without rounds. */
double shared_cores_undisturbed(const struct shared_cores *look, const unsigned *members, unsigned count);

/**
 * Order the members of each group by how seldom they were disturbed, and find the widest team that can be measured.
 * Pure.
 * @param group  [threads] ascending; members of one group may trade places: like cores with one last-level cache
 * @param sizes  team sizes in ascending order, the last being all
 * @param order  out: [threads] members, those to be preferred first within their group
 * @return       the largest size whose first members were undisturbed together in SHARED_CORES_LEAST of the rounds; the
 *               least of the sizes if there is none
 */
unsigned shared_cores_choose(const struct shared_cores *look, const unsigned *group, const unsigned *sizes,
                             size_t count, unsigned *order);

/**
 * Make the session's widest team one that can be measured: its CPUs in another order, and fewer of them, if its cores are
 * shared; else it stays as it is. session->narrowed says what was seen. Takes 50 ms, half a second where cores are
 * shared. Before any cell is planned.
 * @return 0 or negative errno with one line in why
 */
int shared_cores_narrow(struct session *session, char *why, size_t size);
