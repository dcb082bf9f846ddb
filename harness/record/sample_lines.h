/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_RECORD_SAMPLE_LINES_H
#define HARNESS_RECORD_SAMPLE_LINES_H

#include <jansson.h>
#include <stddef.h>

#include "harness/cells/cell/cell.h"
#include "results/records/samples.h"

/** Between the samples of a cell and those of a record (results/records/samples.h). */

/**
 * The record of one visit: the samples of a cell from `first` on, each after its read of the roof where it has one.
 * @param tsc_hz  of the instruments that timed them
 * @return new reference, NULL without memory
 */
json_t *sample_line(const struct cell *cell, size_t first, size_t roof_first, unsigned block, double tsc_hz);

/** A sample as it was measured. */
struct sample sample_restored(const struct recorded_sample *recorded);

#endif
