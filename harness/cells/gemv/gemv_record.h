/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CELLS_GEMV_GEMV_RECORD_H
#define HARNESS_CELLS_GEMV_GEMV_RECORD_H

#include "harness/cells/product/product_cell.h"

/** What a GEMV cell says; NULL without memory. New reference. */
json_t *gemv_record(const struct session *session, const struct cells *cells, const struct cell *cell);

#endif
