/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prefix sums of planes over 2 panels.
 *
 *   zmm0-15 sums of 2 panels   the others: int1_planes.prefix.avx512_vnni.inc
 */
#include "micro/kernels/int1_planes/layout.h"

#define INTERLEAVE    2
#define SUMS          8
#define OPERAND_BYTES STEP_COLUMNS
#define VECTOR_IS_ZMM
#include "micro/kernels/microkernel_frame.h"

#ifdef __ASSEMBLER__

#include "micro/sequences/x86_64/int1_planes.prefix.avx512_vnni.inc"

.macro load_constants
    step_constants edi
.endm

.macro operand address
    vpbroadcastd ACTIVATIONS, dword ptr [\address]
.endm

.macro step base, address
    load_weights \address, 0
    dots_into \base, SUMS
    group
.endm

    microkernel_functions

#endif
