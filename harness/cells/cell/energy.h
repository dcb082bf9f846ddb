/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "harness/measure/sampler.h"

/**
 * Energy of a cell's work, of all packages of the machine (RAPL): whatever else runs on them, and what they take when idle, is part of it,
 * and none of it is a core's own.
 *
 * The counter moves once a millisecond. Samples of 20 ms and more have their own energy (harness/measure/sampler.h); of shorter ones each
 * visit takes windows: the work again and again, back to back, for 30 ms, so that the counter's steps are 3% of one at most. Their
 * times are no samples of the cell: between two calls nothing is looked at.
 */
enum { ENERGY_WINDOWS_MOST = 12, ENERGY_WINDOWS_A_VISIT = 2 };

#define ENERGY_WINDOW_S 30e-3

struct cell;
struct session;
struct graded;

struct energy_window {
    double joules, time_s; /* of one run of the work, which has the cell's repeats */
    size_t after;          /* samples that the cell had when it was taken */
};

struct energy {
    struct energy_window window[ENERGY_WINDOWS_MOST];
    unsigned count, rejected;
};

/** Seconds that windows add to a visit of such a cell, at most; 0 where no energy is counted. */
double energy_visit_s(const struct session *session);

/**
 * After the samples of a visit, on its team: windows, where energy is counted and these samples are too short for it; and once in a session
 * what the packages take while the team sleeps.
 *
 * @param work   of the samples; `before` is part of a window
 * @param first  number of the sample that the first run in a window is, and
 * @param step   from a run to the next
 * @return 0 or -ENOMEM
 */
int energy_take(struct session *session, struct cell *cell, const struct sampler_work *work, unsigned first,
                unsigned step);

/** Joules of one repeat, of samples or of windows, whichever have it more often: which is said. Without either n is 0. */
struct graded energy_of(const struct cell *cell, bool *of_windows);

/**
 * package_energy_j, package_energy_from and package_idle_w, where energy is counted; of windows in place of the null that is there for want
 * of long samples.
 */
void energy_set(json_t *record, const struct session *session, const struct cell *cell);

/** joules_per_token, of this many tokens a repeat; null with the reason where it is not known. */
void energy_set_token(json_t *record, const struct session *session, const struct cell *cell, double tokens);

/** Windows that came with the samples from `first` on go into the record of the visit, and come back from it. */
void energy_describe(const struct cell *cell, size_t first, json_t *record);
/** 0, or -EINVAL where they are no windows */
int energy_restore(struct cell *cell, const json_t *record);
