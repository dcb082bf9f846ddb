/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>

#include "harness/cells/cell/cell.h"
#include "harness/cells/decode/decode_work.h"

/** What records of passes have alike, of a token and of a prompt. */

/** A new record of a type that says what went through which model, with what, over this many positions. */
json_t *pass_record_named(const char *type, const struct decode_work *work, size_t context);

/** What takes given matrices, which may be of several types; nothing where there are none. */
void pass_record_uses(json_t *record, const struct decode_work *work);

/** What went on between the matrices; without a part that the pass does not have (LAYER_PARTS: it has all). */
void pass_record_code(json_t *record, const struct decode_code *code, enum layer_part without);

/** What this many meetings of the team take by each way that threads have to meet; NaN: it is not known how many. */
void pass_record_joined(json_t *record, const struct cells *cells, unsigned threads, double joins);
