/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Masks: each field of a block of 128 stays in its place in the byte, and its sums are shifted right at the end of the row.
 *
 *   ymm0-7 sums of 2 rows, of bits 7:6 first   the others: i2_s.mask.avx_vnni.inc
 */
#include "micro/kernels/i2_s/layout.h"

#define INTERLEAVE    2
#define SUMS          4
#define OPERAND_BYTES STEP_COLUMNS
#include "micro/kernels/microkernel_frame.h"

#ifdef __ASSEMBLER__

#include "micro/sequences/x86_64/i2_s.mask.avx_vnni.inc"

.macro load_constants
.endm

.macro operand address
    load_activations \address
.endm

.macro step base, address
    load_weights \address, 0
    dots_into \base, SUMS
    group
.endm

    microkernel_functions

#endif
