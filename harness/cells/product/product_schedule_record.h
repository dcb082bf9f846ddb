/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>

#include "harness/cells/cell/summary.h"
#include "harness/cells/product/product_cell.h"
#include "harness/cells/product/product_schedule.h"
#include "harness/measure/session.h"

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

/** What records of GEMVs and of GEMMs, and of the models fitted to them, have alike. */

/** A new record of a type that says of what kernel it is: its name, format, sequence, ISA, origin, and bits a weight of the cell's matrix. */
json_t *product_record_named(const char *type, const struct cell *cell);

/** One of the cell's own type, that says as well what is multiplied: names of models and roles, m, k, n, threads, protocol, level, bytes. */
json_t *product_record_begin(const struct session *session, const struct cell *cell);

/** The share of the roof, and the roof itself; of a warm cell null, and why. */
void product_record_roof(json_t *record, const struct session *session, const struct cell *cell);

/** Interruptions and switches of its samples, and whether the results were right. */
void product_record_samples(json_t *record, const struct cell *cell);

/** Its schedule, peers, settings, what it does otherwise than others, counters and energy. */
void product_record_end(json_t *record, const struct session *session, const struct cells *cells,
                        const struct cell *cell);
