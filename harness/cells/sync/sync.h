/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/summary.h"

/** Synchronisation: what the barrier of a team costs. */
extern const struct cell_kind cell_kind_sync;

/** 0 or -ENOMEM. */
int sync_add(struct cells *cells, unsigned threads);

/** Seconds of one barrier of a team; 0 for one thread and NaN for more where it was not measured. */
double sync_time(const struct cells *cells, unsigned threads);
