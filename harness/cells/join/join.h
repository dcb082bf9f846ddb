/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/summary.h"

/**
 * How else threads meet than at the spinning barrier of sync.h, which all that is measured uses: a barrier in whose members
 * sleep in the kernel (futex), and fork and join of GNU OpenMP. What a decode pass would take with them follows from how
 * often it joins.
 */
enum join_way { JOIN_FUTEX, JOIN_OPENMP, JOIN_WAYS };
extern const struct cell_kind cell_kind_join;

/** "futex", "openmp" */
const char *join_way_name(enum join_way way);

/** All ways with a team, where it is more than one thread. 0 or -ENOMEM. */
int join_add(struct cells *cells, unsigned threads);

/** Seconds of one join; NaN where it was not measured. */
double join_time(const struct cells *cells, enum join_way way, unsigned threads);

/** Why a way was not measured with this team; NULL: it was, or was not asked for. */
const char *join_why(const struct cells *cells, enum join_way way, unsigned threads);
