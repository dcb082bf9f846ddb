/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The microkernel of [envelope, III-B and III-C, Fig. 1].
 * Columns 0-3, then 4-7.
 *
 *   ymm0-7 sums of 2 panels   the others: int2_vnni4.envelope.inc
 */
#include "micro/kernels/int2_vnni4/layout.h"

#define INTERLEAVE    2
#define SUMS          4
#define OPERAND_BYTES STEP_COLUMNS
#include "micro/kernels/microkernel_frame.h"

#ifdef __ASSEMBLER__

#include "micro/sequences/x86_64/dot.avx_vnni.inc"
#include "micro/sequences/x86_64/int2_vnni4.envelope.inc"

.macro load_constants
    step_constants
.endm

.macro operand address
    lea rdi, [\address]
.endm

.macro half base, address, column
    vpbroadcastd ACTIVATIONS, dword ptr [rdi + \column]
    load_weights \address, 0
    dots_into \base, SUMS
    group
.endm

.macro step base, address
    half \base, \address, 0
    half \base, \address + 32, 4
.endm

    microkernel_functions

#endif
