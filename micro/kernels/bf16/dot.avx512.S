/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Widened by zero extension and a shift, exact, then multiply-add: 32 columns of a row a step, 6 uops.
 *
 *   zmm0-7 two sums a row, 4 rows   zmm28-29 activations of 32 columns   the others: bf16.dot.inc
 */
#include "micro/kernels/bf16/layout.h"

#define INTERLEAVE    4
#define SUMS          2
#define OPERAND_BYTES (STEP_COLUMNS * 4)
#define SUMS_ARE_FLOATS
#define VECTOR_IS_ZMM
#include "micro/kernels/microkernel_frame.h"

#ifdef __ASSEMBLER__

#include "micro/sequences/x86_64/bf16.dot.inc"

.macro load_constants
.endm

.macro operand address
    vmovups zmm28, [\address]
    vmovups zmm29, [\address + 64]
.endm

.macro step base, address
    dots_into \base, SUMS
    group_of <[\address]>, <[\address + 32]>, zmm28, zmm29
.endm

    microkernel_functions

#endif
