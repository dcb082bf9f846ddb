/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inner loop of look-up kernels whose panels are 64 rows of bytes of two indices: groups of 4 steps (a line each), the step of
 * micro/families/lookup/lookup_bytes.avx2.inc for both halves of the rows. Each table is loaded once for both. The kernel's .S
 * defines BASE, TABLE_BYTES, STEP_TABLES and BLOCK_GROUPS, and includes this.
 *
 *   void SELF_groups(const uint8_t *steps, const uint8_t *tables, size_t count, size_t far, int16_t words[4][16], size_t near)
 *
 * 96 uops on the vector pipes for 32 output vectors, of them 36 shuffles and 8 shifts; 32 loads.
 *
 *   ymm0, ymm1 l, h of rows 0-31   ymm2, ymm3 of rows 32-63   ymm4, ymm5 tables of l, h
 *   ymm11-14 words: rows 0-7 and 16-23, 8-15 and 24-31, the same + 32   the others: lookup_bytes.avx2.inc
 */
#ifndef __ASSEMBLER__
#include "micro/families/lookup/lookup_steps.h"
#else
#include "micro/frames/step_frame.h"
#include "micro/families/lookup/lookup_bytes.avx2.inc"

#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)

.macro both_halves number
    vbroadcasti128 ymm4, [rsi + \number * TABLE_BYTES]
    vbroadcasti128 ymm5, [rsi + \number * TABLE_BYTES + 16]
    look_up \number, ymm0, ymm1, ymm4, ymm5, [rdi+\number/2*64]
    look_up \number, ymm2, ymm3, ymm4, ymm5, [rdi+\number/2*64+32]
.endm

    .text
    .globl JOIN(SELF, _groups)
    .type JOIN(SELF, _groups), @function
    .balign 64
JOIN(SELF, _groups):
    endbr64
    add rcx, rdi
    add r9, rdi
    step_constants
    vpxor xmm11, xmm11, xmm11
    vpxor xmm12, xmm12, xmm12
    vpxor xmm13, xmm13, xmm13
    vpxor xmm14, xmm14, xmm14
    .balign 64
1:
    prefetcht1 [rcx]
    prefetcht0 [r9]
    prefetcht1 [rcx + 64]
    prefetcht0 [r9 + 64]
    prefetcht1 [rcx + 128]
    prefetcht0 [r9 + 128]
    prefetcht1 [rcx + 192]
    prefetcht0 [r9 + 192]
    step_mark_begin
    .irp number, 0, 1, 2, 3, 4, 5, 6, 7
    both_halves \number
    .endr
    words_begin
    dots_into 11, 2
    dot_words ymm0, ymm1
    dots_into 13, 2
    dot_words ymm2, ymm3
    step_mark_end
    add rdi, 256
    add rcx, 256
    add r9, 256
    add rsi, 8 * TABLE_BYTES
    dec rdx
    jne 1b
    vmovdqa [r8], ymm11
    vmovdqa [r8 + 32], ymm12
    vmovdqa [r8 + 64], ymm13
    vmovdqa [r8 + 96], ymm14
    vzeroupper
    ret
    .size JOIN(SELF, _groups), . - JOIN(SELF, _groups)
    .section .note.GNU-stack, "", %progbits
#endif
