/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prefix sums of bits, columns 0-3, then 4-7; a register holds the eight rows of a bit.
 *
 *   z0-15 sums of 2 panels   the others: int1_planes.prefix.inc
 */
#include "micro/kernels/int1_planes_m8/layout.h"

#define INTERLEAVE    2
#define SUMS          8
#define OPERAND_BYTES STEP_COLUMNS
#define VECTOR_IS_SVE256
#include "micro/kernels/microkernel_frame.h"

#ifdef __ASSEMBLER__

#include "micro/sequences/aarch64/dot.sve256.inc"
#include "micro/sequences/aarch64/int1_planes.prefix.inc"

.macro load_constants
    ptrue p0.b
    step_constants
.endm

.macro operand address
    mov x17, \address
.endm

.macro load_activations column
    ld1rw {z18.s}, p0/z, [x17, 4 * \column]
.endm

.macro step base, address
    load_weights \address, 0
    load_activations 0
    dots_into \base, SUMS
    group
    load_weights \address, 32
    load_activations 1
    dots_into \base, SUMS
    group
.endm

    microkernel_functions

#endif
