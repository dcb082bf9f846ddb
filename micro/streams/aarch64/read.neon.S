/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Read stream of 128-bit loads, in pairs: two instructions a line.
 */
#include "micro/streams/stream_frame.h"

.macro stream_load_line base, offset
    ldp q0, q1, [\base, \offset]
    ldp q2, q3, [\base, \offset + 32]
.endm

    stream_descriptor STREAM_SYMBOL, 16
