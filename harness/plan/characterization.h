/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_PLAN_CHARACTERIZATION_H
#define HARNESS_PLAN_CHARACTERIZATION_H

#include <stdbool.h>

#include "harness/cells/cell/cell.h"
#include "harness/record/run_writer.h"

/**
 * The whole job within a time budget: clocks, barrier, beta, gamma, knee, quantization, GEMV; every sample recorded as
 * it comes. Errors: 0 or negative errno with one line in why.
 */
enum { CHARACTERIZE_BUDGET_LEAST_S = 20, CHARACTERIZE_BUDGET_S = 150 };

struct characterization {
    struct session *session;
    struct run_writer writer;
    struct cells cells;
    double budget_s;
    const volatile int *stop; /* becomes true on Ctrl-C */
    /** Told after each step: fraction of the budget used, seconds left, what comes now. */
    void (*progress)(void *context, double fraction, double remaining_s, const char *now);
    void *context;

    bool interrupted;
    double seconds;
    size_t skipped; /* cells without any sample at the end */
};

/**
 * Measure, continuing from what the cells already have, and append samples and, at the end or when stopped, summaries
 * and the closing record.
 * @return 0 (also when stopped: interrupted is set), -EILSEQ for a wrong kernel, other errno
 */
int characterization_run(struct characterization *job, char *why, size_t size);

/** The measured machine in the format of platforms/known. New reference. */
json_t *characterization_platform(const struct characterization *job, const char *name);

#endif
