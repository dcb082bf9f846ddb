/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CELLS_CELL_SUMMARY_DERIVE_H
#define HARNESS_CELLS_CELL_SUMMARY_DERIVE_H

#include <stdbool.h>

#include "harness/cells/cell/summary.h"

/** From samples to a summarized quantity: what the files of summaries share. */

/** One derived value a sample and the grade of its cycles; false if it has none (its partner was rejected). */
typedef bool derive(const struct cell *cell, size_t i, double *value, enum sample_grade *grade);

/**
 * @param cycles  whether the quantity is made of cycles, so that only samples of the best grade may be mixed
 * @param stream  if not 0, only the samples beside which this stream was read as the roof
 */
struct graded summary_derive(const struct cell *cell, size_t count, bool cycles, derive *value_of, unsigned stream);

#endif
