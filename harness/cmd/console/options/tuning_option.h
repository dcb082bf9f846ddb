/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/cell/cell.h"
#include "harness/measure/session.h"
#include "results/tuned/tuning.h"

/** The help of --tuning=FILE, of commands that run kernels. */
#define TUNING_OPTION_HELP                                                                                             \
    "Settings of kernels from this table of `kneepoint tune`, or none: kernels' own (default: results/tuning/<this CPU>.json if there is one). Unless it is none, a GEMV that has no entry first finds the fastest prefetch distance"

/**
 * The table that is asked for ("none": no table), or with NULL that of this CPU where there is one. One that is found and does not hold
 * here is said, and not used; one that is asked for is then refused. Without a table it is empty.
 * @return exit code
 */
int tuning_option_read(const char *command, const char *given, const struct session *session,
                       struct tuning_table *table);

/** Which GEMVs find their distance themselves, by what is given: all that have no entry, or with "none" none. */
enum session_tunes tuning_option_tunes(const char *given);

/** One line on standard output below the cells of a table: where the settings of its kernels are from. NULL: no table */
void tuning_option_print(const struct tuning_table *table, const struct cells *cells);
