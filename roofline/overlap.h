/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

#include "roofline/interval.h"

/**
 * The overlap model: reading and computing overlap only in part, and how far is a property of the
 * kernel, omega:
 *
 *     T = Tm + Tc - omega min(Tm, Tc)
 *
 * Tm is the time of reading alone, bytes / beta, Tc that of computing alone, gamma x vectors / clock, both of one core.
 * omega = 1 is [envelope, Eq. (1)], max(Tm, Tc); at 0 they add up; below 0 it is slower than reading and then computing;
 * above 1 faster than the longer of the two alone, so that one of the two is not what the kernel does.
 *
 * A team shares its memory. While j of its n cores read, each reads at what one core reads alone, beta(1), or at an equal
 * share of what the team reads together, beta(team) / j, whichever is less. A core does not read for as long as it
 * computes without reading, Tc - omega min(Tm, Tc), and cores do so independently of each other: while one computes, the
 * others read faster, but hardly as much faster as would make up for it.
 *
 * Pure functions; times in seconds, or any one unit; NaN for an argument out of range.
 */

/** T of one core. Times >= 0, omega finite: values outside of 0 to 1 are taken as they are. */
double overlap_time(double memory, double compute, double omega);

/**
 * T of a team: what a core computes without reading, and the time in which it reads its share while each of the others
 * reads for the same part of T. Never less than shared, nor than overlap_time(memory, compute, omega).
 *
 * @param members  of the team, > 0
 * @param shared   of all bytes at what the team reads together
 * @param memory   of one core's share of them at what one core reads alone
 * @param compute  of one core's share of the vectors
 */
double overlap_team_time(size_t members, double shared, double memory, double compute, double omega);

/** A measured number and the interval it lies in, low <= value <= high. */
struct overlap_measured {
    double value;
    struct interval range;
};

/** What times say of omega: roofline_overlap (roofline/ebw.h) of the values, and how far their intervals move it. */
struct overlap_fit {
    double omega;          /* NaN as roofline_overlap says */
    struct interval range; /* NaN ends where omega or a range is */
};

/**
 * omega from a time, and the two that it is made of. Errors are independent: what each interval does to omega alone is
 * added as squares, on either side.
 */
struct overlap_fit overlap_fit(struct overlap_measured time, struct overlap_measured memory,
                               struct overlap_measured compute);

/** A number > 0 over a measured quantity > 0, such as bytes over beta. */
struct overlap_measured overlap_over(double numerator, struct overlap_measured denominator);

/** A measured quantity times a number > 0. */
struct overlap_measured overlap_times(struct overlap_measured measured, double factor);
