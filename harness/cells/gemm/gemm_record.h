/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CELLS_GEMM_GEMM_RECORD_H
#define HARNESS_CELLS_GEMM_GEMM_RECORD_H

#include "harness/cells/product/product_cell.h"

/** What a GEMM cell says; NULL without memory. New reference. */
json_t *gemm_record(const struct session *session, const struct cells *cells, const struct cell *cell);

/** Record of type "gemm_model" beside that of the first cell of a sweep; NULL for any other. New reference. */
json_t *gemm_model_record(const struct session *session, const struct cells *cells, const struct cell *cell);

#endif
