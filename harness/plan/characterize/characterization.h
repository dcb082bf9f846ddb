/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>

#include "harness/cells/cell/cell.h"
#include "harness/plan/characterize/planner.h"
#include "harness/plan/characterize/purpose.h"
#include "harness/record/run_writer.h"

/**
 * A plan carried out within its budget. Parts of the plan are taken in order of value, some at a time: each cell of
 * those is visited twice, in random order, and again if fewer than STATS_KEPT_LEAST of its samples were kept; before
 * the next are taken, what is left of the plan is held against the time that is left, and the least valuable parts go
 * if the machine turned out slower than estimated, or come if it was faster. At the end all are visited once more.
 * Every sample is recorded as it comes. Errors: 0 or negative errno with one line in why.
 */
enum { CHARACTERIZE_BUDGET_LEAST_S = 20 };

/**
 * Beyond the budget, this share of it for cells that lack samples that bear weight. A plan takes 85% of a budget: what a run takes on a
 * machine that spoils many samples stays within a quarter of what its plan says.
 */
#define CHARACTERIZE_GRACE 0.03

struct characterization {
    struct session *session;
    struct run_writer writer;
    struct cells cells; /* with their values: characterization_plan */
    const struct purpose *purpose;
    double budget_s;          /* INFINITY: no end */
    double budget_bytes;      /* of the records; INFINITY: as many as it takes */
    bool again;               /* the run was measured to its end before: the same cells once more, as many samples */
    const volatile int *stop; /* becomes true on Ctrl-C */
    /** Told after each step: fraction of the budget used, seconds left, what comes now. */
    void (*progress)(void *context, double fraction, double remaining_s, const char *now);
    void *context;

    struct planner_budget planned_sum; /* estimated before: what is planned takes this long, and this many bytes */
    size_t planned;                    /* cells, when it began */
    bool interrupted;
    double seconds;
    double measured_s;       /* what the parts that were measured were estimated to take before anything was */
    json_t *pace;            /* what visits were estimated to take and took, by kind; NULL at first */
    size_t measured, failed; /* cells at the end: with samples; planned, but with a reason of their own */
    size_t unsettled;        /* with too few kept samples */
    size_t dropped, added;   /* planned at first and left out, and the reverse */
};

/**
 * Choose what the budget carries: left_out of the cells, planned_sum and planned.
 * @return 0; -ERANGE with one line in why: the budget is too small
 */
int characterization_choose(struct characterization *job, char *why, size_t size);

/**
 * Measure what was chosen, continuing from what the cells already have, and append samples and, at the end or when
 * stopped, summaries and the closing record.
 * @return 0 (also when stopped: interrupted is set), -EILSEQ for a wrong kernel, other errno
 */
int characterization_run(struct characterization *job, char *why, size_t size);

/**
 * The measured machine in the format of platforms/known: what rests on enough samples, and on a known clock where it is
 * cycles; the rest of what was measured is in "left_out" with the reason. New reference; NULL if the roof of the whole
 * team is not known.
 */
json_t *characterization_platform(const struct characterization *job, const char *name);
