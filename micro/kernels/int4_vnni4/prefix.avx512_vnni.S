/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prefix sums of nibbles over 2 panels.
 *
 *   zmm0-3 sums of 2 panels   the others: int4_vnni4.prefix.avx512_vnni.inc
 */
#include "micro/kernels/int4_vnni4/layout.h"

#define INTERLEAVE    2
#define SUMS          2
#define OPERAND_BYTES STEP_COLUMNS
#define VECTOR_IS_ZMM
#include "micro/kernels/microkernel_frame.h"

#ifdef __ASSEMBLER__

#include "micro/sequences/x86_64/int4_vnni4.prefix.avx512_vnni.inc"

.macro load_constants
    step_constants edi
.endm

.macro operand address
    vpbroadcastd ACTIVATIONS, dword ptr [\address]
.endm

.macro step base, address
    load_weights \address, 0
    dots_into \base, 2
    group
.endm

    microkernel_functions

#endif
