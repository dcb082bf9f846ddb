/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tiles of 64 rows, exact look-ups negated and added up as bytes: tl2.bytes.avx2.S of the sequences, twice, with a table a
 * triple that both halves share. Written out because compilers keep neither 16 registers nor the halves side by side.
 *
 *   void SELF_tiles(const uint8_t *tiles, const uint8_t *tables, size_t count, size_t prefetch_bytes, int16_t words[4][16])
 *
 * 146 uops on the four vector pipes for 48 output vectors, of them 36 shuffles and 8 shifts; 42 loads.
 *
 *   ymm0, ymm1 l, h of rows 0-31   ymm2, ymm3 of rows 32-63   ymm4, ymm5 tables of l, h   ymm6, ymm7 signs of both halves
 *   ymm8-10 temporaries   ymm11-14 words: rows 0-7 and 16-23, 8-15 and 24-31, the same + 32   ymm15 mask 0x0f
 */
    .intel_syntax noprefix
    .altmacro

#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)

    .section .rodata
    .balign 32
.Lnibble: .fill 32, 1, 0x0f
.Lones:   .fill 32, 1, 1
.Lbase:   .fill 16, 2, 1 + 29 * 256

.macro find low, high, signs, triple
    .if \triple == 0
    vpshufb \low, ymm4, ymm8
    vpshufb \high, ymm5, ymm8
    vpsignb \low, \low, \signs
    vpsignb \high, \high, \signs
    .else
    vpshufb ymm9, ymm4, ymm8
    vpshufb ymm10, ymm5, ymm8
    vpsignb ymm9, ymm9, \signs
    vpsignb ymm10, ymm10, \signs
    vpaddb \low, \low, ymm9
    vpaddb \high, \high, ymm10
    .endif
.endm

/* the sign of the triple to the top of each byte, a 1 behind it */
.macro sign_of triple, signs, address
    .if \triple == 0
    vmovdqa \signs, [rip + .Lones]
    vpor \signs, \signs, [\address]
    .elseif \triple == 7
    vmovdqa \signs, [\address]
    vpsllw \signs, \signs, 7
    vpor \signs, \signs, [rip + .Lones]
    .else
    vpaddb \signs, \signs, \signs
    .endif
.endm

.macro index_of triple, address
    .if \triple % 2
    vmovdqa ymm8, [\address]
    vpsrlw ymm8, ymm8, 4
    vpand ymm8, ymm8, ymm15
    .else
    vpand ymm8, ymm15, [\address]
    .endif
.endm

.macro triple_of triple
    vbroadcasti128 ymm4, [rsi + \triple * 32]
    vbroadcasti128 ymm5, [rsi + \triple * 32 + 16]
    sign_of \triple, ymm6, rdi+256
    index_of \triple, rdi+(\triple/2)*64
    find ymm0, ymm1, ymm6, \triple
    sign_of \triple, ymm7, rdi+256+32
    index_of \triple, rdi+(\triple/2)*64+32
    find ymm2, ymm3, ymm7, \triple
.endm

.macro add_words low, high, first, second
    vpunpcklbw ymm9, \low, \high
    vpunpckhbw ymm10, \low, \high
    vpmaddubsw ymm9, ymm8, ymm9
    vpmaddubsw ymm10, ymm8, ymm10
    vpaddw \first, \first, ymm9
    vpaddw \second, \second, ymm10
.endm

    .text
    .globl JOIN(SELF, _tiles)
    .type JOIN(SELF, _tiles), @function
    .balign 64
JOIN(SELF, _tiles):
    endbr64
    add rcx, rdi
    vmovdqa ymm15, [rip + .Lnibble]
    vpxor xmm11, xmm11, xmm11
    vpxor xmm12, xmm12, xmm12
    vpxor xmm13, xmm13, xmm13
    vpxor xmm14, xmm14, xmm14
    .balign 64
1:
    prefetcht0 [rcx]
    prefetcht0 [rcx + 64]
    prefetcht0 [rcx + 128]
    prefetcht0 [rcx + 192]
    prefetcht0 [rcx + 256]
    .set number, 0
    .rept 8
    triple_of %(number)
    .set number, number + 1
    .endr
    vmovdqa ymm8, [rip + .Lbase]
    add_words ymm0, ymm1, ymm11, ymm12
    add_words ymm2, ymm3, ymm13, ymm14
    add rdi, 320
    add rcx, 320
    add rsi, 256
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
