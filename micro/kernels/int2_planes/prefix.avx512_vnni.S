/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prefix sums of planes over 3 panels.
 *
 *   zmm0-11 sums of 3 panels   the others: int2_planes.prefix.avx512_vnni.inc
 */
#include "micro/kernels/int2_planes/layout.h"

#define INTERLEAVE    3
#define SUMS          4
#define OPERAND_BYTES STEP_COLUMNS
#define VECTOR_IS_ZMM
#include "micro/kernels/microkernel_frame.h"

#ifdef __ASSEMBLER__

#include "micro/sequences/x86_64/int2_planes.prefix.avx512_vnni.inc"

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
