/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Read stream of 256-bit loads: two a line.
 */
#include "micro/streams/stream_frame.h"

.macro stream_load_line address:vararg
    vmovdqa ymm0, [\address]
    vmovdqa ymm1, [\address + 32]
.endm

    stream_descriptor STREAM_SYMBOL, 32
