/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A block of 16 rows a step, two groups of the sequence: lanes are rows. The prefetch is of 21 lines, every one a whole one, a few at a
 * time and far ahead in two streams: all at once and near in four, the same arithmetic took 1.2 times as long from memory on Zen 5.
 *
 *   zmm0, zmm1 sums of two panels   zmm16-23 codes   the others: the .inc
 */
#define SUMS            1
#define VECTOR_IS_ZMM
#define STEP_PARTS      2
#define Q2_K_SUMS_APART 16
#define Q2_K_PREFETCH   6144
#include "micro/formats/q2_k_m16/lanes.h"

#ifdef __ASSEMBLER__

#include "micro/formats/q2_k_m16/q2_k_m16.lanes.avx512_vnni.inc"

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

/* four lines of codes, and four of the prefetch */
.macro even_lines address, near, first
    fetch_lines <\near>, \first, 4
    vmovdqu32 zmm16, [\address]
    vmovdqu32 zmm17, [\address + 64]
    vmovdqu32 zmm18, [\address + 128]
    vmovdqu32 zmm19, [\address + 192]
.endm

.macro odd_lines address, near, first
    fetch_lines <\near>, \first, 4
    vmovdqu32 zmm20, [\address + 256]
    vmovdqu32 zmm21, [\address + 320]
    vmovdqu32 zmm22, [\address + 384]
    vmovdqu32 zmm23, [\address + 448]
.endm

.macro half number, address, operand, near
    group_of <\operand + 128 * \number>, <\operand + Q2_K_SUMS + 16 * \number>, <\operand>, <zmmword ptr [\address + 64 + 128 * \number]>, <zmmword ptr [\address + 128 + 128 * \number]>, <ymmword ptr [\address]>, <ymmword ptr [\address + 32]>, <even_lines <\address + 320 + 512 * \number>, <\near>, %(11 * \number)>, <odd_lines <\address + 320 + 512 * \number>, <\near>, %(11 * \number + 4)>
    fetch_lines <\near>, %(11 * \number + 8), %(3 - \number)
.endm

.macro step base, address, operand, near, far, part
    dots_into \base, 1
    half \part, <\address>, <\operand>, <\near>
.endm

    microkernel_functions

#else
const struct kernel SELF = Q2_K_LANES_KERNEL;
#endif
