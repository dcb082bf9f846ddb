/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A block of 16 rows a step, two groups of the sequence: lanes are rows. The prefetch is of 21 lines, every one a whole one.
 *
 *   zmm0-3 sums of four panels   zmm16-23 codes   the others: the .inc
 */
#include "micro/kernels/q2_k_m16/layout.h"

#define INTERLEAVE 4
#define SUMS       1
#define ROWS       BLOCK_ROWS
#define STEP_BYTES BLOCK_BYTES
#define VECTOR_IS_ZMM
#define SUMS_ARE_FLOATS
#define STEP_FETCHES
#include "micro/sequences/q2_k_operand.h"
#define OPERAND_BYTES Q2_K_OPERAND_BYTES
#include "micro/kernels/microkernel_frame.h"

#ifdef __ASSEMBLER__

#include "micro/sequences/x86_64/q2_k_m16.lanes.avx512_vnni.inc"

.macro load_constants
    load_constants_from edi
.endm

.macro fetch_lines near, first, count
    .set fetch_at, 64 * \first
    .rept \count
    prefetcht0 [\near + fetch_at]
    .set fetch_at, fetch_at + 64
    .endr
.endm

.macro even_lines address
    vmovdqu32 zmm16, [\address]
    vmovdqu32 zmm17, [\address + 64]
    vmovdqu32 zmm18, [\address + 128]
    vmovdqu32 zmm19, [\address + 192]
.endm

.macro odd_lines address
    vmovdqu32 zmm20, [\address + 256]
    vmovdqu32 zmm21, [\address + 320]
    vmovdqu32 zmm22, [\address + 384]
    vmovdqu32 zmm23, [\address + 448]
.endm

.macro half number, address, operand
    group_of <\operand + 128 * \number>, <\operand + Q2_K_SUMS + 16 * \number>, <\operand>, <zmmword ptr [\address + 64 + 128 * \number]>, <zmmword ptr [\address + 128 + 128 * \number]>, <ymmword ptr [\address]>, <ymmword ptr [\address + 32]>, <even_lines <\address + 320 + 512 * \number>>, <odd_lines <\address + 320 + 512 * \number>>
.endm

.macro step base, address, operand, near, far
    fetch_lines <\near>, 0, 11
    dots_into \base, 1
    half 0, <\address>, <\operand>
    fetch_lines <\near>, 11, 10
    dots_into \base, 1
    half 1, <\address>, <\operand>
.endm

    microkernel_functions

#endif
