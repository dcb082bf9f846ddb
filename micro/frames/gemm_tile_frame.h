/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Frame of a GEMM's inner loop in assembly: one register block, some rows times some tokens, over a run of columns; leaves the raw
 * sums.
 *
 * Weights lie in groups of 4 columns of all rows of a panel. A group is taken apart once, into REGISTERS registers, and each of them
 * meets 4 activations of every token, which are broadcast once for all of them: REGISTERS * TOKENS dot products for TOKENS loads. All
 * sums stay in registers: two vpdpbusd a cycle of latency 4 or 5 need 8 to 10 of them, and what a group costs beside its
 * dot products is the less the more there are. Few tokens would leave most of them idle and the loads in one stream, so
 * then several panels are multiplied side by side.
 *
 * The kernel's .S defines
 *
 *   ROWS, GROUP_BYTES    of a panel, and its packed bytes of 4 columns
 *   PASSES               times that a panel is gone through: a pass is REGISTERS registers of rows
 *   REGISTERS, TOKENS    of a pass, and the most tokens of a register block; sums are registers 0 .. REGISTERS*TOKENS-1
 *   VECTOR_IS_ZMM        registers of 512 bits; default 256
 *   WORD_GROUPS          sums are kept as words, and added to 32-bit sums in memory after this many groups; default 32-bit sums
 *   UNPACKS_PANEL        unpacks a pass into scratch before any token meets it: default, each register block unpacks for itself
 *
 * then includes this, and for the assembler alone
 *
 *   load_constants part         of pass `part`, once before the loop; may use edi as scratch
 *   unpack part, address        a group to the registers of number WEIGHTS and up
 *   multiply number, weights    adds the products of two registers of these numbers to the sum: micro/families/planes/tile.inc
 *
 * and then says `tile_functions`. A table of functions comes out, SELF_tiles[PASSES][TILE_WAYS][TOKENS], each void (const struct
 * tile_operands *) for one pass, 1, 2 or 4 panels side by side, and 1 to TOKENS tokens, those that fit into the registers; others are
 * NULL. With UNPACKS_PANEL all passes have the functions of one, and SELF_unpack[PASSES] are void (const uint8_t *weights, void
 * *unpacked, size_t groups), which leave [groups][REGISTERS] registers.
 *
 *   rsi rax rbx rbp   weights of panels 0-3    rdx  byte of the group    r10  what is prefetched, relative to the panel
 *   rcx r12           activations of token 0 and 6    r13 r14 r15  1, 3, 5 times from token to token
 *   r9  groups left   r8  what r10 grows by    r11  raw sums    edi  groups until words are added
 */
#ifdef VECTOR_IS_ZMM
#define VECTOR       zmm
#define VECTOR_BYTES 64
#define WEIGHTS      24
#define ACTIVATIONS  28
#else
#define VECTOR       ymm
#define VECTOR_BYTES 32
#define WEIGHTS      12
#define ACTIVATIONS  14
#define TEMPORARY    15
#endif
#define TILE_WAYS 3 /* 1, 2, 4 panels */

#ifndef __ASSEMBLER__
#include "micro/frames/gemm_tile.h"
#else
    .intel_syntax noprefix
    .altmacro

#define TILE_JOIN_(a, b) a##b
#define TILE_JOIN(a, b)  TILE_JOIN_(a, b)
#define TILE_TABLE       TILE_JOIN(SELF, _tiles)
#define TILE_ACTIVATION  TILE_JOIN(VECTOR, ACTIVATIONS)

#define TILE_WEIGHTS            0
#define TILE_WEIGHTS_STRIDE     8
#define TILE_ACTIVATIONS        16
#define TILE_ACTIVATIONS_STRIDE 24
#define TILE_GROUPS             32
#define TILE_PREFETCH           40
#define TILE_PREFETCH_STEP      48
#define TILE_RAW                56

.macro tile_zero number
    .if \number < 16
    vpxor xmm\number, xmm\number, xmm\number
    .else
    vpxord VECTOR\number, VECTOR\number, VECTOR\number
    .endif
.endm

#ifdef VECTOR_IS_ZMM
#define TILE_MOVE vmovdqa64
#else
#define TILE_MOVE vmovdqa
#endif

.macro tile_from number, where
    TILE_MOVE VECTOR\number, [\where]
.endm

.macro tile_to number, where
    TILE_MOVE [\where], VECTOR\number
.endm

.macro tile_store number
    tile_to \number, <r11 + \number * VECTOR_BYTES>
.endm

#ifdef WORD_GROUPS
    .section .rodata
    .balign 32
.Ltile_ones: .fill 16, 2, 1

.macro tile_add_words number
    vpmaddwd ymm\number, ymm\number, [rip + .Ltile_ones]
    vpaddd ymm\number, ymm\number, [r11 + \number * VECTOR_BYTES]
    tile_store \number
    tile_zero \number
.endm
#endif

/* what: a macro of one argument, for each of the sums */
.macro tile_sums what, count
    .set tile_number, 0
    .rept \count
    what %(tile_number)
    .set tile_number, tile_number + 1
    .endr
.endm

/* a token of six: its activations to all lanes */
.macro tile_broadcast base, index
    .if \index == 0
    vpbroadcastd TILE_ACTIVATION, dword ptr [\base]
    .elseif \index == 1
    vpbroadcastd TILE_ACTIVATION, dword ptr [\base + r13]
    .elseif \index == 2
    vpbroadcastd TILE_ACTIVATION, dword ptr [\base + r13*2]
    .elseif \index == 3
    vpbroadcastd TILE_ACTIVATION, dword ptr [\base + r14]
    .elseif \index == 4
    vpbroadcastd TILE_ACTIVATION, dword ptr [\base + r13*4]
    .else
    vpbroadcastd TILE_ACTIVATION, dword ptr [\base + r15]
    .endif
.endm

#ifdef UNPACKS_PANEL
#define TILE_GROUP_BYTES (REGISTERS * VECTOR_BYTES)
#define TILE_UNPACK      TILE_JOIN(SELF, _unpack)

.macro tile_load address
    .set tile_register, 0
    .rept REGISTERS
    tile_from %(WEIGHTS + tile_register), <\address + tile_register * VECTOR_BYTES>
    .set tile_register, tile_register + 1
    .endr
.endm

/* rdi weights   rsi unpacked   rdx groups */
.macro unpack_function part
    .text
    .balign 64
.Lunpack_\part:
    endbr64
    mov rcx, rdi
    load_constants \part
    .balign 32
1:
    unpack \part, rcx
    .set tile_register, 0
    .rept REGISTERS
    tile_to %(WEIGHTS + tile_register), <rsi + tile_register * VECTOR_BYTES>
    .set tile_register, tile_register + 1
    .endr
    add rcx, GROUP_BYTES
    add rsi, TILE_GROUP_BYTES
    dec rdx
    jnz 1b
    vzeroupper
    ret
    .section .data.rel.ro, "aw"
    .quad .Lunpack_\part
.endm
#else
#define TILE_GROUP_BYTES GROUP_BYTES
#endif

.macro tile_token way, tokens, token
    .if \token < 6
    tile_broadcast rcx, \token
    .else
    tile_broadcast r12, %(\token - 6)
    .endif
    .set tile_register, 0
    .rept REGISTERS
    multiply %((\way * \tokens + \token) * REGISTERS + tile_register), %(WEIGHTS + tile_register)
    .set tile_register, tile_register + 1
    .endr
.endm

.macro tile_way part, way, tokens, base
    .set tile_line, 0
    .rept (GROUP_BYTES + 63) / 64
    prefetcht1 [\base + r10 + tile_line]
    .set tile_line, tile_line + 64
    .endr
#ifdef UNPACKS_PANEL
    tile_load \base + rdx
#else
    unpack \part, \base + rdx
#endif
    .set tile_of, 0
    .rept \tokens
    tile_token \way, \tokens, %(tile_of)
    .set tile_of, tile_of + 1
    .endr
.endm

.macro tile_function part, ways, tokens
    .text
    .balign 64
.Ltile_\part\()_\ways\()_\tokens:
    endbr64
    push rbx
    push rbp
    push r12
    push r13
    push r14
    push r15
    mov rsi, [rdi + TILE_WEIGHTS]
    mov r8, [rdi + TILE_WEIGHTS_STRIDE]
    lea rax, [rsi + r8]
    lea rbx, [rsi + r8*2]
    lea rbp, [rax + r8*2]
    mov rcx, [rdi + TILE_ACTIVATIONS]
    mov r13, [rdi + TILE_ACTIVATIONS_STRIDE]
    lea r14, [r13 + r13*2]
    lea r15, [r13 + r13*4]
    lea r12, [rcx + r14*2]
    mov r9, [rdi + TILE_GROUPS]
    mov r10, [rdi + TILE_PREFETCH]
    mov r8, [rdi + TILE_PREFETCH_STEP]
    mov r11, [rdi + TILE_RAW]
    xor edx, edx
#ifndef UNPACKS_PANEL
    load_constants \part
#endif
    tile_sums tile_zero, %(\ways * \tokens * REGISTERS)
#ifdef WORD_GROUPS
    tile_sums tile_store, %(\ways * \tokens * REGISTERS)
2:
    mov edi, WORD_GROUPS
    cmp r9, rdi
    cmovb rdi, r9
    sub r9, rdi
#endif
    .balign 64
1:
    tile_way \part, 0, \tokens, rsi
    .if \ways > 1
    tile_way \part, 1, \tokens, rax
    .endif
    .if \ways > 2
    tile_way \part, 2, \tokens, rbx
    tile_way \part, 3, \tokens, rbp
    .endif
    add rcx, 4
    .if \tokens > 6
    add r12, 4
    .endif
    add rdx, TILE_GROUP_BYTES
    add r10, r8
#ifdef WORD_GROUPS
    dec rdi
    jnz 1b
    tile_sums tile_add_words, %(\ways * \tokens * REGISTERS)
    test r9, r9
    jnz 2b
#else
    dec r9
    jnz 1b
    tile_sums tile_store, %(\ways * \tokens * REGISTERS)
#endif
    vzeroupper
    pop r15
    pop r14
    pop r13
    pop r12
    pop rbp
    pop rbx
    ret
    .section .data.rel.ro, "aw"
    .quad .Ltile_\part\()_\ways\()_\tokens
.endm

.macro tile_functions_of part, ways
    .set tile_tokens, 1
    .rept TOKENS
    .if tile_tokens * \ways <= TOKENS
    tile_function \part, \ways, %(tile_tokens)
    .else
    .section .data.rel.ro, "aw"
    .quad 0
    .endif
    .set tile_tokens, tile_tokens + 1
    .endr
.endm

.macro tile_functions_of_pass part
    tile_functions_of \part, 1
    tile_functions_of \part, 2
    tile_functions_of \part, 4
.endm

.macro tile_table_of name
    .section .data.rel.ro, "aw"
    .balign 8
    .globl \name
    .type \name, %object
\name:
.endm

.macro tile_functions
    tile_table_of TILE_TABLE
#ifdef UNPACKS_PANEL
    tile_functions_of_pass 0
    tile_table_of TILE_UNPACK
    .set tile_pass, 0
    .rept PASSES
    unpack_function %(tile_pass)
    .set tile_pass, tile_pass + 1
    .endr
#else
    .set tile_pass, 0
    .rept PASSES
    tile_functions_of_pass %(tile_pass)
    .set tile_pass, tile_pass + 1
    .endr
#endif
    .section .note.GNU-stack, "", %progbits
.endm
#endif
