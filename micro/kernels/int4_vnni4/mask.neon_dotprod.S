/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Nibbles masked and shifted down; four registers hold the sixteen rows of a nibble.
 *
 *   v0-15 sums of 2 panels   the others: int4_vnni4.mask.inc
 */
#include "micro/kernels/int4_vnni4/layout.h"

#define INTERLEAVE    2
#define SUMS          8
#define OPERAND_BYTES STEP_COLUMNS
#include "micro/kernels/microkernel_frame.h"

#ifdef __ASSEMBLER__

#define ACTIVATIONS v18.4b[activation_column]
#include "micro/sequences/aarch64/dot.neon_dotprod.inc"
#include "micro/sequences/aarch64/int4_vnni4.mask.inc"

.macro load_constants
    step_constants
.endm

.macro operand address
    ldr s18, [\address]
.endm

.macro step base, address
    load_weights \address, 0
    .set activation_column, 0
    dots_into \base, SUMS
    group
    load_weights \address, 16
    group
    load_weights \address, 32
    group
    load_weights \address, 48
    group
.endm

    microkernel_functions

#endif
