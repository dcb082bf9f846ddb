/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inner loop of a GEMV of mixed24 with 256 bits: a step of microkernel_frame.h, of each of two panels a group of
 * micro/sequences/x86_64/mixed24.lanes.256.inc.
 *
 *   ymm0-3 sums of halves of two panels   the others: the .inc
 */
#include "micro/kernels/mixed24/layout.h"
#include "micro/sequences/mixed24_operand.h"

#define INTERLEAVE    2
#define SUMS          2
#define ROWS          MIXED24_ROWS
#define STEP_BYTES    MIXED24_STEP_BYTES
#define OPERAND_BYTES MIXED24_OPERAND_BYTES
#define SUMS_ARE_FLOATS
#define STEP_FETCHES
#define MIXED24_PREFETCH 6144
#ifndef __ASSEMBLER__
#ifdef OUTLIERS_PER_MILLE
#include "micro/kernels/mixed24_outliers_lanes.h"
#else
#include "micro/kernels/mixed24/lanes.h"
#endif
#endif
#include "micro/kernels/microkernel_frame.h"

#ifdef __ASSEMBLER__

#include "micro/sequences/x86_64/mixed24.lanes.256.inc"

.macro load_constants
    load_constants_from edi
.endm

.macro step base, address, operand, near, far
    .irp line, 0, 1, 2, 3, 4, 5
    prefetcht0 [\near + 64 * \line]
    .endr
    dots_into \base, 2
    group_of <\operand>, <\address>
.endm

    microkernel_functions

#endif
