/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CELLS_PRODUCT_PRODUCT_RECORD_H
#define HARNESS_CELLS_PRODUCT_PRODUCT_RECORD_H

#include <jansson.h>

#include "harness/cells/product/product_cell.h"
#include "harness/measure/session.h"

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

#endif
