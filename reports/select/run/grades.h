/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "reports/select/run/view.h"

/** By which clock the numbers of a run that are in cycles were counted. Seconds are of the wall clock, whatever counts cycles. */
struct grades {
    size_t pmu, chain, wall;
};

/** Of core clocks, roofs, gammas, GEMVs and GEMMs. */
struct grades grades_of_cycles(const struct view *view);
