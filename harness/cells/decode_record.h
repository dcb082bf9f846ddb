/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CELLS_DECODE_RECORD_H
#define HARNESS_CELLS_DECODE_RECORD_H

#include "harness/cells/cell/cell.h"
#include "harness/cells/decode.h"

/** Record of type "decode": tokens a second, the parts, alpha, and what the model says. New reference. */
json_t *decode_record(const struct session *session, const struct cells *cells, const struct cell *cell);

#endif
