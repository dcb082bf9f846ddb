/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "harness/cells/cell/summary.h"
#include "harness/plugin/plugins.h"
#include "platforms/system/host.h"

/** How a measurement ended: what its closing record says beyond the cells. */
struct run_end {
    const char *command;
    bool interrupted;
    double seconds;                /* that it took */
    double budget_s;               /* that it might have taken */
    double budget_bytes;           /* that its records might have taken; 0 or INFINITY: as many as it takes */
    const char *unreached;         /* why a cell has no sample, where the cell does not say */
    const char *left_out;          /* why the plan left cells out */
    double planned_s, measured_s;  /* estimated before: of what was planned, of what was measured; 0: nothing was */
    json_t *least_budgets;         /* of kinds without samples: seconds of which a plan has some; NULL: not known */
    json_t *pace;                  /* what visits were estimated to take and took, by kind; NULL: not recorded */
    size_t kept_least;             /* cells with fewer kept samples or pairs are named; 0: none is */
    const struct plugins *plugins; /* whose withheld kernels are recorded; NULL, or none loaded: none */
    const struct host_disturbance *before; /* of the machine when it began; NULL: not recorded */
};

/**
 * Record of type "end": whether it is complete, the time, cells and those skipped with the reason, those that the plan
 * left out, those that could not be settled, samples, those rejected by cause and those that the operating system
 * entered, what was withheld and what disturbed the machine.
 *
 * Complete is a run that was not interrupted and in which no planned cell was left unreached: a cell that cannot be
 * measured here says why, one that the plan left out is not part of it, and one that the machine was too busy for has its
 * samples and is listed as unsettled.
 * @return new reference, or NULL without memory
 */
json_t *end_record(const struct run_end *end, const struct cells *cells);

/** Planned cells without any sample. */
size_t end_skipped(const struct cells *cells);

/**
 * Record of type "withheld": a kernel or sequence of a plug-in that failed its check or misbehaved while it was measured, and the
 * reason. New reference, NULL without memory.
 */
json_t *withheld_record(const struct plugin_fault *fault);
