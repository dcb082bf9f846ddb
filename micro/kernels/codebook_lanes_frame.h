/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inner loop of a GEMV of 16 interleaved rows of group-wise codebooks: a step of microkernel_frame.h, a block of 256 columns of each of
 * four panels, whose quarters are groups of micro/sequences/x86_64/codebook_lanes.avx512.inc. The kernel's .S includes the layout.h of its
 * format, defines what that wants, and includes this.
 *
 *   zmm0-3 sums of four panels   zmm10, zmm11 lines of upper bits   the others: the .inc
 */
#define INTERLEAVE 4
#define SUMS       1
#define ROWS       BLOCK_ROWS
#define STEP_BYTES BLOCK_BYTES
#define VECTOR_IS_ZMM
#define SUMS_ARE_FLOATS
#define STEP_FETCHES
#include "micro/sequences/codebook_operand.h"
#define OPERAND_BYTES CB_OPERAND_BYTES

#ifndef __ASSEMBLER__
#include "micro/kernels/codebook_lanes.h"
#endif

#include "micro/kernels/microkernel_frame.h"

#ifdef __ASSEMBLER__

#include "micro/sequences/x86_64/codebook_lanes.avx512.inc"

.macro load_constants
    load_constants_from edi
.endm

/* an eighth of a block's lines before each half of a quarter would be spread better, but is no faster */
.macro fetch_lines near, first, count
    .set fetch_at, 64 * \first
    .rept \count
    prefetcht0 [\near + fetch_at]
    .set fetch_at, fetch_at + 64
    .endr
.endm

.macro quarter number, address, operand
    vmovdqu32 ymm23, [\address]
    vmovdqu32 zmm20, [\address + 32 + 64 * \number]
    vmovdqu32 zmm16, [\address + 288 + 256 * \number]
    vmovdqu32 zmm17, [\address + 352 + 256 * \number]
    vmovdqu32 zmm18, [\address + 416 + 256 * \number]
    vmovdqu32 zmm19, [\address + 480 + 256 * \number]
#ifdef CODES_OF_3_BITS
    vmovdqu32 zmm10, [\address + 1312 + 128 * \number]
    vmovdqu32 zmm11, [\address + 1376 + 128 * \number]
#endif
    group_of <\operand + 64 * \number>, <\operand + CB_STARTS + 16 * \number>, <\operand>
.endm

.macro step base, address, operand, near, far
    .set fetch_quarter, 0
    .irp number, 0, 1, 2, 3
    fetch_lines <\near>, %(fetch_quarter * ((STEP_BYTES + 255) / 256)), %((STEP_BYTES + 255) / 256)
    .set fetch_quarter, fetch_quarter + 1
    dots_into \base, 1
    quarter \number, <\address>, <\operand>
    .endr
.endm

    microkernel_functions

#endif
