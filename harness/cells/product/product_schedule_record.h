/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CELLS_PRODUCT_PRODUCT_SCHEDULE_RECORD_H
#define HARNESS_CELLS_PRODUCT_PRODUCT_SCHEDULE_RECORD_H

#include "harness/cells/cell/summary.h"
#include "harness/cells/product/product_schedule.h"

/**
 * What the record of a GEMV or GEMM cell with a schedule has besides: the name of its cell, how the team shared, who drew what, and
 * what its members attain alone. Nothing for a plain one.
 */
void product_schedule_record(json_t *record, const struct cells *cells, const struct cell *cell);

/** A cell of any kind that is shared by a schedule, and what is compared with its members one by one. */
struct product_schedule_subject {
    const struct product_schedule *schedule; /* NULL: plain */
    /** The cell of a member alone, with that of its own speed; NULL: none. */
    const struct cell *(*alone)(const struct cells *cells, const struct cell *cell, unsigned member, double speed);
    /** The cell of its members while all work (product_schedule.contended); NULL: none. NULL: of no cell. */
    const struct cell *(*contended)(const struct cells *cells, const struct cell *cell);
    struct graded (*bandwidth)(const struct cell *cell); /* bytes of weights a second */
    size_t unit_bytes;                                   /* of what the matrix is cut at */
};

/** product_schedule_record of that. */
void product_schedule_record_of(json_t *record, const struct cells *cells, const struct cell *cell,
                                const struct product_schedule_subject *subject);

/** Of a schedule in a cell of any kind: the cell's name, how the team shared, what is emulated. */
void product_schedule_fields(json_t *record, const struct cell *cell, const struct product_schedule *schedule);

/** Its weights as a list. New reference. */
json_t *product_schedule_weights(const struct product_schedule *schedule);

#endif
