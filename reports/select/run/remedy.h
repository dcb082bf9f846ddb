/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORTS_SELECT_RUN_REMEDY_H
#define REPORTS_SELECT_RUN_REMEDY_H

#include <stddef.h>

#include "reports/select/run/view.h"

/**
 * A command that measures what a run lacks, so that it adds to this run: "--into=RUN" names its folder, and commands that can add to a
 * run but do not say so get it.
 * @param text  receives the command; what does not fit is cut
 * @return text
 */
const char *remedy_of(const struct view *view, const char *command, char *text, size_t size);

/** Seconds that all that can be measured would take at the pace of this run; NaN where the run does not say or lacks nothing. */
double remedy_full_s(const struct view *view);

#endif
