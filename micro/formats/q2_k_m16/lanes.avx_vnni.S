/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A block of 16 rows a step, the group of the sequence: lanes are rows, eight of them beside the other eight. A loop over the halves of a block
 * keeps the code small.
 *
 *   ymm0-3 sums of halves of two panels   the others: the .inc
 */
#define SUMS            2
#define Q2_K_SUMS_APART 16
#define Q2_K_PREFETCH   6144
#include "micro/formats/q2_k_m16/lanes.h"

#ifdef __ASSEMBLER__

#define BLOCK  r8
#define CODES  rdx
#define QUANTS r11
#define TIMES  r9d
#include "micro/formats/q2_k_m16/q2_k_m16.lanes.avx_vnni.inc"

.macro load_constants
.endm

/* of 10.5 lines of half a block */
.macro fetch number
    .set fetch_line, 11 * \number / 8
    .rept 11 * (\number + 1) / 8 - 11 * \number / 8
    prefetcht0 [r10 + 64 * fetch_line]
    .set fetch_line, fetch_line + 1
    .endr
.endm

.macro next_half
    add r10, STEP_BYTES / 2
.endm

.macro step base, address, operand, near, far
    push r9
    push r10
    push r11
    push rdx
    lea BLOCK, [\address]
    lea QUANTS, [\operand]
    lea r10, [\near]
    dots_into \base, 2
    group_of
    pop rdx
    pop r11
    pop r10
    pop r9
.endm

    microkernel_functions

#else
const struct kernel SELF = Q2_K_LANES_KERNEL;
#endif
