/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fields in their place, columns 0-3, then 4-7; two registers hold the eight rows of a field.
 *
 *   v0-15 sums of 2 panels   the others: int2_vnni4.mask.inc
 */
#include "micro/kernels/int2_vnni4/layout.h"

#define INTERLEAVE    2
#define SUMS          8
#define OPERAND_BYTES STEP_COLUMNS
#include "micro/kernels/microkernel_frame.h"

#ifdef __ASSEMBLER__

#define ACTIVATIONS v18.4b[activation_column]
#include "micro/sequences/aarch64/dot.neon_dotprod.inc"
#include "micro/sequences/aarch64/int2_vnni4.mask.inc"

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
