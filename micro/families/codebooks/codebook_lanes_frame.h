/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inner loop of a GEMV of 16 interleaved rows of group-wise codebooks: a step of microkernel_frame.h, a block of 256 columns of each of
 * two panels, whose quarters are groups of micro/families/codebooks/codebook_lanes.avx512.inc, or with 256 bits of codebook_lanes.256.inc. The
 * kernel's .S defines what that needs, and VECTOR_IS_ZMM where it is, and includes this.
 *
 *   zmm0, zmm1 sums of two panels, ymm0-3 of their halves   the others: the .inc
 */
#define INTERLEAVE 2
#define ROWS       BLOCK_ROWS
#define STEP_BYTES BLOCK_BYTES
#ifdef VECTOR_IS_ZMM
#define SUMS        1
#define STEP_PARTS  4
#define CB_PREFETCH 6144
#else
#define SUMS         2
#define CB_PREFETCH  4096
#define BYTE_SHUFFLE /* in tables of 16 */
#endif
#ifdef BYTE_SHUFFLE
#define CB_WHOLE_TABLE false
#else
#define CB_WHOLE_TABLE true
#endif
#define SUMS_ARE_FLOATS
#define STEP_FETCHES
#include "micro/families/codebooks/codebook_operand.h"
#define OPERAND_BYTES CB_OPERAND_BYTES

#ifndef __ASSEMBLER__
#include "micro/families/codebooks/codebook_lanes.h"
#endif

#include "micro/frames/microkernel_frame.h"

#ifdef __ASSEMBLER__

#ifdef VECTOR_IS_ZMM
#include "micro/families/codebooks/codebook_lanes.avx512.inc"
#else
#define NUMBERS r8 + r9 * 4 + 32
#define CODES   rdx
#define UPPER   r8 + r9 * 8 + 1312
#define QUANTS  rdi
#define STARTS  r11 + CB_STARTS + r9
#define OPERAND r11
#include "micro/families/codebooks/codebook_lanes.256.inc"
#endif

.macro load_constants
    load_constants_from edi
.endm

#define FETCHES ((STEP_BYTES + 255) / 256) /* of a quarter */

.macro fetch_lines near, first, count
    .set fetch_at, 64 * (\first)
    .rept \count
    prefetcht0 [\near + fetch_at]
    .set fetch_at, fetch_at + 64
    .endr
.endm

#ifdef VECTOR_IS_ZMM
.macro quarter number, address, operand
    vmovdqu32 zmm20, [\address + 32 + 64 * \number]
    vmovdqu32 zmm4, [\address + 288 + 256 * \number]
    vmovdqu32 zmm5, [\address + 352 + 256 * \number]
    vmovdqu32 zmm6, [\address + 416 + 256 * \number]
    vmovdqu32 zmm7, [\address + 480 + 256 * \number]
#ifdef CODES_OF_3_BITS
    vmovdqu32 zmm8, [\address + 1312 + 128 * \number]
    vmovdqu32 zmm9, [\address + 1376 + 128 * \number]
#endif
    group_of <\operand + 64 * \number>, <\operand + CB_STARTS + 16 * \number>, <\operand>, <ymmword ptr [\address]>
.endm

/* One or two lines between each two fields, far ahead in two streams. In four, and nearer, the same arithmetic took 1.25 times as long from
   memory on Zen 5. */
.macro step base, address, operand, near, far, part
    .macro fetch number
    fetch_lines <\near>, %(FETCHES * \part + FETCHES * \number / 5), %(FETCHES * (\number + 1) / 5 - FETCHES * \number / 5)
    .endm
    dots_into \base, 1
    quarter \part, <\address>, <\operand>
    .purgem fetch
.endm
#else
.macro load_d to, half
    vcvtph2ps ymm\to, xmmword ptr [r8 + 16 * \half]
.endm

.macro fetch number
    fetch_lines r10, %(FETCHES * \number / 4), %(FETCHES * (\number + 1) / 4 - FETCHES * \number / 4)
.endm

.macro quarter base, spare
    dots_into \base, 2
    group_of \spare
.endm

/* Four quarters of some panels would be more code than a first-level cache holds: a loop over quarters. The sums of the other panel are kept on the
   stack, below its end, for the step has a use for their registers. */
.macro step base, address, operand, near, far
    push r9
    push r10
    push r11
    push rdx
    lea r8, [\address]
    lea r11, [\operand]
    lea r10, [\near]
    lea rdx, [r8 + 288]
    mov rdi, r11
    xor r9d, r9d
    keep_sums %(2 - \base), %(3 - \base)
7:
    quarter \base, %(2 - \base)
    add r10, STEP_BYTES / 4
    add rdi, 64
    add rdx, 256
    add r9, 16
    cmp r9, 64
    jne 7b
    bring_sums %(2 - \base), %(3 - \base)
    pop rdx
    pop r11
    pop r10
    pop r9
.endm

.macro keep_sums first, second
    vmovups [rsp - 64], ymm\first
    vmovups [rsp - 32], ymm\second
.endm

.macro bring_sums first, second
    vmovups ymm\first, [rsp - 64]
    vmovups ymm\second, [rsp - 32]
.endm
#endif

    microkernel_functions

#endif
