/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A block of 16 rows a step, of whose quarters each 8 rows are a group of the sequence, two side by side: lanes are rows. A loop over the halves of
 * a block keeps the code small.
 *
 *   ymm0-3 sums of halves of two panels   the others: the .inc
 */
#define SUMS            2
#define Q2_K_SUMS_APART 1
#define Q2_K_PREFETCH   4096
#include "micro/formats/q2_k_m16/lanes.h"

#ifdef __ASSEMBLER__

#include "micro/formats/q2_k_m16/q2_k_m16.lanes.avx2.inc"

.macro load_constants
    load_constants_from edi
.endm

.macro fetch_lines near, first, count
    .set fetch_at, 64 * (\first)
    .rept \count
    prefetcht0 [\near + fetch_at]
    .set fetch_at, fetch_at + 64
    .endr
.endm

/* of rows 8 `half` …, where a loop is in the block */
.macro load_codes to, half, line
    vmovdqu ymm\to, [rdx + 64 * \line + 32 * \half]
.endm

.macro load_groups to, half, high
    vmovdqu ymm\to, [r8 + r9 * 8 + 64 + 64 * \high + 32 * \half]
.endm

.macro load_d to, half
    vcvtph2ps ymm\to, xmmword ptr [r8 + 16 * \half]
.endm

.macro load_dmin to, half
    vcvtph2ps ymm\to, xmmword ptr [r8 + 32 + 16 * \half]
.endm

.macro sum_of half
    dots_into %(step_base + \half), 1
.endm

/* groups 2 p + `odd` of half a block, and five or six of its 11 lines */
.macro quarter odd
    .macro fetch number
    fetch_lines r10, %(5 * \odd + (5 + \odd) * \number / 8), %((5 + \odd) * (\number + 1) / 8 - (5 + \odd) * \number / 8)
    .endm
    group_of <0, 1>, \odd, <rdi + 16 * \odd>, <r11 + Q2_K_SUMS + r9>, r11
    .purgem fetch
    add rdx, 256
.endm

.macro step base, address, operand, near, far
    .set step_base, \base
    push r9
    push r10
    push r11
    push rdx
    lea r8, [\address]
    lea r11, [\operand]
    lea r10, [\near]
    lea rdx, [r8 + 320]
    mov rdi, r11
    xor r9d, r9d
7:
    quarter 0
    quarter 1
    add r10, STEP_BYTES / 2
    add rdi, 128
    add r9, 16
    cmp r9, 32
    jne 7b
    pop rdx
    pop r11
    pop r10
    pop r9
.endm

    microkernel_functions

#else
const struct kernel SELF = Q2_K_LANES_KERNEL;
#endif
