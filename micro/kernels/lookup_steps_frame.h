/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inner loop of look-up kernels whose panels are 64 rows of bytes of two indices: groups of 4 steps (a line each), exact
 * look-ups added up as bytes, sum = BASE * h + l. Each table is loaded once for both halves of the rows. The kernel's .S
 * defines BASE.
 *
 *   void SELF_groups(const uint8_t *steps, const uint8_t *tables, size_t count, size_t prefetch_bytes, int16_t words[4][16])
 *
 * 96 uops on the vector pipes for 32 output vectors, of them 36 shuffles and 8 shifts; 32 loads.
 *
 *   ymm0, ymm1 l, h of rows 0-31   ymm2, ymm3 of rows 32-63   ymm4, ymm5 tables of l, h   ymm8-10 temporaries
 *   ymm11-14 words: rows 0-7 and 16-23, 8-15 and 24-31, the same + 32   ymm15 mask 0x0f
 */
    .intel_syntax noprefix
    .altmacro

#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)

    .section .rodata
    .balign 32
.Lnibble: .fill 32, 1, 0x0f
.Lbase:   .fill 16, 2, 1 + BASE * 256

.macro index_of pair, address
    .if \pair % 2
    vmovdqa ymm8, [\address]
    vpsrlw ymm8, ymm8, 4
    vpand ymm8, ymm8, ymm15
    .else
    vpand ymm8, ymm15, [\address]
    .endif
.endm

.macro find low, high, pair
    .if \pair == 0
    vpshufb \low, ymm4, ymm8
    vpshufb \high, ymm5, ymm8
    .else
    vpshufb ymm9, ymm4, ymm8
    vpshufb ymm10, ymm5, ymm8
    vpaddb \low, \low, ymm9
    vpaddb \high, \high, ymm10
    .endif
.endm

.macro pair_of pair
    vbroadcasti128 ymm4, [rsi + \pair * 32]
    vbroadcasti128 ymm5, [rsi + \pair * 32 + 16]
    index_of \pair, rdi+(\pair/2)*64
    find ymm0, ymm1, \pair
    index_of \pair, rdi+(\pair/2)*64+32
    find ymm2, ymm3, \pair
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
    .globl JOIN(SELF, _groups)
    .type JOIN(SELF, _groups), @function
    .balign 64
JOIN(SELF, _groups):
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
    .set number, 0
    .rept 8
    pair_of %(number)
    .set number, number + 1
    .endr
    vmovdqa ymm8, [rip + .Lbase]
    add_words ymm0, ymm1, ymm11, ymm12
    add_words ymm2, ymm3, ymm13, ymm14
    add rdi, 256
    add rcx, 256
    add rsi, 256
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
