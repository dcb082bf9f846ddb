/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Read stream of 512-bit loads: one a line.
 */
#include "micro/streams/stream_frame.h"

.macro stream_load_line address:vararg
    vmovdqa64 zmm0, [\address]
.endm

    stream_descriptor STREAM_SYMBOL, 64
