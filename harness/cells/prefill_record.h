/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CELLS_PREFILL_RECORD_H
#define HARNESS_CELLS_PREFILL_RECORD_H

#include "harness/cells/cell/cell.h"
#include "harness/cells/prefill.h"

/** Record of type "prefill": tokens a second, the parts, alpha, and what the model says. New reference. */
json_t *prefill_record(const struct session *session, const struct cells *cells, const struct cell *cell);

#endif
