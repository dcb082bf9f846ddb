/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The sign bit flipped for sdot, in eight registers of four rows.
 *
 *   v0-15 sums of 2 panels   the others: int8_vnni4.flip.inc
 */
#include "micro/kernels/int8_vnni4/layout.h"

#define INTERLEAVE    2
#define SUMS          8
#define OPERAND_BYTES STEP_COLUMNS
#include "micro/kernels/microkernel_frame.h"

#ifdef __ASSEMBLER__

#define ACTIVATIONS v18.4b[activation_column]
#include "micro/sequences/aarch64/dot.neon_dotprod.inc"

.macro operand address
    ldr s18, [\address]
.endm

#include "micro/kernels/int8_vnni4/flip_aarch64.inc"

#endif
