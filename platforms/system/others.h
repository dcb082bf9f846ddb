/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/**
 * How much of the machine's CPUs others use while this process does something that it has to do anyway: other programs, and by stolen
 * time other guests of the host. Children of this process are others. It takes a tenth of a second to show in ticks of 10 ms.
 */
struct others {
    bool known;
    uint64_t ticks;        /* all CPUs' work and stolen time since the machine was started */
    double own_s, clock_s; /* CPU time of this process; CLOCK_MONOTONIC */
};

/** @param root  "" for the running system; a test passes a directory that holds proc/ */
void others_begin(const char *root, struct others *others);

/** @return CPUs that others used on average since others_begin, 0 or more; NAN where the system does not say */
double others_cpus(const char *root, const struct others *begin);

/**
 * The arithmetic of it. Time is counted by ticks at the end of which a CPU worked, so two ticks too many mean nothing and are taken off.
 * @param ticks, own_s, seconds  that passed
 */
double others_cpus_of(uint64_t ticks, double ticks_per_s, double own_s, double seconds);
