/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inner loop of a GEMV of q2_k_m16 with 256 bits: a step of microkernel_frame.h, a block of each of two panels, of which each quarter of
 * 8 rows is a group of micro/sequences/x86_64/q2_k_m16.lanes.256.inc. A loop over the halves of a block keeps the code small.
 *
 *   ymm0-3 sums of halves of two panels   the others: the .inc
 */
#define INTERLEAVE 2
#define SUMS       2
#define ROWS       BLOCK_ROWS
#define STEP_BYTES BLOCK_BYTES
#define SUMS_ARE_FLOATS
#define STEP_FETCHES
#include "micro/sequences/q2_k_operand.h"
#define OPERAND_BYTES   Q2_K_OPERAND_BYTES
#define Q2_K_SUMS_APART 1
#define Q2_K_PREFETCH   4096
#ifndef __ASSEMBLER__
#include "micro/kernels/q2_k_m16/lanes.h"
#endif
#include "micro/kernels/microkernel_frame.h"

#ifdef __ASSEMBLER__

#include "micro/sequences/x86_64/q2_k_m16.lanes.256.inc"

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

/* rows 8 `half` …, groups 2 p + `odd`: codes from \codes on */
.macro quarter half, odd, codes
    group_of \odd, <rdi + 16 * \odd>, <r11 + Q2_K_SUMS + r9>, r11, <[r8 + r9 * 8 + 64 + 32 * \half]>, <[r8 + r9 * 8 + 128 + 32 * \half]>, <xmmword ptr [r8 + 16 * \half]>, <xmmword ptr [r8 + 32 + 16 * \half]>, <[\codes]>, <[\codes + 64]>, <[\codes + 128]>, <[\codes + 192]>
.endm

.macro step base, address, operand, near, far
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
    .irp odd, 0, 1
    fetch_lines r10, %(5 * \odd), 3
    dots_into %(\base), 1
    quarter 0, \odd, <rdx + 256 * \odd>
    fetch_lines r10, %(5 * \odd + 3), %(2 + \odd)
    dots_into %(\base + 1), 1
    quarter 1, \odd, <rdx + 256 * \odd + 32>
    .endr
    add r10, STEP_BYTES / 2
    add rdi, 128
    add rdx, 512
    add r9, 16
    cmp r9, 32
    jne 7b
    pop rdx
    pop r11
    pop r10
    pop r9
.endm

    microkernel_functions

#endif
