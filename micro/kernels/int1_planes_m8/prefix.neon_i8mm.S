/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prefix sums of bits, columns 0-3, then 4-7; two registers hold the eight rows of a bit.
 *
 *   v0-15 sums of 1 panel   the others: int1_planes.prefix.inc
 */
#include "micro/kernels/int1_planes_m8/layout.h"

#define INTERLEAVE    1
#define SUMS          16
#define OPERAND_BYTES STEP_COLUMNS
#include "micro/kernels/microkernel_frame.h"

#ifdef __ASSEMBLER__

#define ACTIVATIONS v18.4b[activation_column]
#include "micro/sequences/aarch64/dot.neon_i8mm.inc"
#include "micro/sequences/aarch64/int1_planes.prefix.inc"

.macro load_constants
    step_constants
.endm

.macro operand address
    ldr d18, [\address]
.endm

.macro step base, address
    load_weights \address, 0
    .set activation_column, 0
    dots_into \base, SUMS
    group
    load_weights \address, 16
    group
    load_weights \address, 32
    .set activation_column, 1
    dots_into \base, SUMS
    group
    load_weights \address, 48
    group
.endm

    microkernel_functions

#endif
