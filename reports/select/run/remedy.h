/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

#include "reports/select/run/view.h"

/**
 * A command that measures what a run lacks, so that it adds to this run: "--into=RUN" names its folder, and commands that can add to a
 * run but do not say so get it.
 * @param text  receives the command; what does not fit is cut
 * @return text
 */
const char *remedy_of(const struct view *view, const char *command, char *text, size_t size);

/**
 * The shortest "kneepoint characterize --budget=6m" whose plan, as the run's own machine estimated it, has the most valuable cells of a
 * type of which the run has none; NULL where the run does not say.
 */
const char *remedy_budget(const struct view *view, enum view_type type, char *text, size_t size);
