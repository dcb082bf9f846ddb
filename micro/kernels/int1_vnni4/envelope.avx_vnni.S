/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The microkernel of [envelope, III-D, Fig. 2]: broadcast 32 bits, byte shuffle, AND, compare, blend,
 * dot product for every 32 weights.
 *
 *   ymm0-7 sums of 2 panels   the others: int1_vnni4.envelope.inc
 */
#include "micro/kernels/int1_vnni4/layout.h"

#define INTERLEAVE    2
#define SUMS          4
#define OPERAND_BYTES STEP_COLUMNS
#include "micro/kernels/microkernel_frame.h"

#ifdef __ASSEMBLER__

#include "micro/sequences/x86_64/dot.avx_vnni.inc"
#include "micro/sequences/x86_64/int1_vnni4.envelope.inc"

.macro load_constants
    step_constants
.endm

.macro operand address
    lea rdi, [\address]
.endm

.macro word base, address
    load_weights \address, 0
    dots_into \base, 1
    group
.endm

.macro columns base, address, column
    vpbroadcastd ACTIVATIONS, dword ptr [rdi + \column]
    word \base, \address
    word %(\base + 1), \address + 4
    word %(\base + 2), \address + 8
    word %(\base + 3), \address + 12
.endm

.macro step base, address
    columns \base, \address, 0
    columns \base, \address + 16, 4
    columns \base, \address + 32, 8
    columns \base, \address + 48, 12
.endm

    microkernel_functions

#endif
