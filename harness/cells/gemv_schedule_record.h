/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CELLS_GEMV_SCHEDULE_RECORD_H
#define HARNESS_CELLS_GEMV_SCHEDULE_RECORD_H

#include "harness/cells/gemv_schedule.h"

/**
 * What the record of a GEMV cell with a schedule has besides: the name of its cell, how the team shared, who drew what, and
 * what its members attain alone. Nothing for a plain one.
 */
void gemv_schedule_record(json_t *record, const struct cells *cells, const struct cell *cell);

/** Of a schedule in a cell of any kind: the cell's name, how the team shared, what is emulated. */
void gemv_schedule_fields(json_t *record, const struct cell *cell, const struct gemv_schedule *schedule);

/** Its weights as a list. New reference. */
json_t *gemv_schedule_weights(const struct gemv_schedule *schedule);

#endif
