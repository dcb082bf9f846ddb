/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Multiply-add from memory: 32 columns of a row a step, 4 uops. The loads are the limit.
 *
 *   ymm0-7 two sums a row, 4 rows   ymm8-11 activations of 32 columns   the others: f32.dot.inc
 */
#include "micro/kernels/f32/layout.h"

#define INTERLEAVE    4
#define SUMS          2
#define OPERAND_BYTES (STEP_COLUMNS * 4)
#define SUMS_ARE_FLOATS
#include "micro/kernels/microkernel_frame.h"

#ifdef __ASSEMBLER__

#include "micro/sequences/x86_64/f32.dot.inc"

.macro load_constants
.endm

.macro operand address
    vmovups ymm8, [\address]
    vmovups ymm9, [\address + 32]
    vmovups ymm10, [\address + 64]
    vmovups ymm11, [\address + 96]
.endm

.macro step base, address
    dots_into \base, SUMS
    group_of <[\address]>, <[\address + 32]>, <[\address + 64]>, <[\address + 96]>
.endm

    microkernel_functions

#endif
