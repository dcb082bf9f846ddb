/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "reports/select/run/view.h"
#include "results/tuned/tuning.h"

/**
 * The tuning table of a run's machine: RESULTS/tuning/PLATFORM.json of a run RESULTS/runs/PLATFORM/RUN, as `kneepoint tune` writes it.
 *
 * @return 0; -ENOENT there is none, or the view is of no run in such a place; what tuning_read returns. The table is empty
 *         after a failure; tuning_release() it otherwise.
 */
int tuned_open(const struct view *view, struct tuning_table *table);
