/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_PLAN_BUDGET_H
#define HARNESS_PLAN_BUDGET_H

#include <stddef.h>

/** Time to measure, as `--budget` takes it: whole seconds, or "full", which has no end. */

/** Seconds, INFINITY for "full"; NaN for anything else. */
double budget_parse(const char *text);

/**
 * Bytes that the records of a run of that budget may take: 1.7 MB of 60 s, 2.2 MB of 150 s, 6.4 MB of 900 s; without end
 * of "full". Runs are kept, sent and committed. An estimate of the plan, a tenth too high.
 */
double budget_bytes(double budget_s);

/** "150 s", or "full". */
const char *budget_text(double budget_s, char *text, size_t size);

/** Why a plan leaves a cell out. */
const char *budget_beyond(double budget_s, char *text, size_t size);

#endif
