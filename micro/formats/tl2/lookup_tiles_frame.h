/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inner loop of look-up kernels whose panels are tiles of TL2, 64 rows of 8 indices and signs: the step of
 * micro/formats/tl2/tl2.bytes.avx2.inc for both halves of the rows, with a table an index that both share. Written out
 * because compilers keep neither 16 registers nor the halves side by side. The kernel's .S defines BASE, of look-ups TOGETHER
 * (8 or 4), and TABLE_BYTES, which its .c reads by including it, and includes this.
 *
 *   void SELF_tiles(const uint8_t *tiles, const uint8_t *tables, size_t count, size_t far, int16_t words[4][16], size_t near)
 *
 * TOGETHER 8: 146 uops on the four vector pipes for 48 output vectors, of them 36 shuffles and 8 shifts; 42 loads.
 *
 *   ymm0, ymm1 l, h of rows 0-31   ymm2, ymm3 of rows 32-63   ymm4, ymm5 tables of l, h   ymm6, ymm7 signs of both halves
 *   ymm11-14 words: rows 0-7 and 16-23, 8-15 and 24-31, the same + 32   the others: tl2.bytes.avx2.inc
 */
#include "micro/formats/tl2/layout.h"

#ifdef __ASSEMBLER__
#include "micro/frames/step_frame.h"
#include "micro/formats/tl2/tl2.bytes.avx2.inc"

#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)

.macro both_halves triple
    vbroadcasti128 ymm4, [rsi + \triple * TABLE_BYTES]
    vbroadcasti128 ymm5, [rsi + \triple * TABLE_BYTES + 16]
    sign_of \triple, ymm6, [rdi + TL2_SIGNS]
    look_up \triple, ymm0, ymm1, ymm6, ymm4, ymm5, [rdi+\triple/2*TL2_ROWS]
    sign_of \triple, ymm7, [rdi + TL2_SIGNS + 32]
    look_up \triple, ymm2, ymm3, ymm7, ymm4, ymm5, [rdi+\triple/2*TL2_ROWS+32]
.endm

    .text
    .globl JOIN(SELF, _tiles)
    .type JOIN(SELF, _tiles), @function
    .balign 64
JOIN(SELF, _tiles):
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
    prefetcht1 [rcx + 256]
    prefetcht0 [r9 + 256]
    step_mark_begin
    .irp triple, 0, 1, 2, 3, 4, 5, 6, 7
    both_halves \triple
    .if \triple % TOGETHER == TOGETHER - 1
    words_begin
    dots_into 11, 2
    dot_words ymm0, ymm1
    dots_into 13, 2
    dot_words ymm2, ymm3
    .endif
    .endr
    step_mark_end
    add rdi, TL2_TILE_BYTES
    add rcx, TL2_TILE_BYTES
    add r9, TL2_TILE_BYTES
    add rsi, TL2_TRIPLES * TABLE_BYTES
    dec rdx
    jne 1b
    vmovdqa [r8], ymm11
    vmovdqa [r8 + 32], ymm12
    vmovdqa [r8 + 64], ymm13
    vmovdqa [r8 + 96], ymm14
    vzeroupper
    ret
    .size JOIN(SELF, _tiles), . - JOIN(SELF, _tiles)
    .section .note.GNU-stack, "", %progbits
#endif
