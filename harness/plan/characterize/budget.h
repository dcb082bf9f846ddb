/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_PLAN_CHARACTERIZE_BUDGET_H
#define HARNESS_PLAN_CHARACTERIZE_BUDGET_H

#include <stddef.h>

/** Time to measure, as `--budget` takes it: whole seconds, minutes or hours, as "90", "90s", "5m" and "2h", or "full", which has no end. */

/** Seconds, from 1 to 1e6, INFINITY for "full"; NaN for anything else. */
double budget_parse(const char *text);

/**
 * Bytes that the records of a run may take, as `--size` takes it in megabytes: of use for runs that are committed. NaN for
 * what is none.
 */
double budget_parse_size(const char *text);

/** "150 s", or "full". */
const char *budget_text(double budget_s, char *text, size_t size);

/** Why a plan leaves a cell out; bytes INFINITY: as many as it takes. */
const char *budget_beyond(double budget_s, double bytes, char *text, size_t size);

#endif
