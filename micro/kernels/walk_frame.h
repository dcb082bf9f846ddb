/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Frame of a GEMV inner loop in assembly: walks the steps of several panels side by side and leaves the raw sums.
 *
 * One core reads most when it reads several places at once with a prefetch some lines ahead of each (see micro/streams).
 * Each line is prefetched twice, into L2 at the whole distance and into L1 at half of it: what a step computes leaves
 * the core fewer lines to look ahead than a bare read has, and the few lines that can be on their way to L1 do not make
 * up for it. The compilers of today copy vpdpbusd accumulators around, so the loop is written out here and a kernel
 * brings only its step. The kernel's .S defines
 *
 *   STEP_BYTES, OPERAND_BYTES   weights and activation operand of one step
 *   PLACES, SUMS                panels side by side, vector registers of sums a panel; sums are registers 0 .. PLACES*SUMS-1
 *   VECTOR                      ymm or zmm
 *   load_constants              once, before the loop; may use rdi as scratch
 *   operand address             load what all panels share: the activations of the step
 *   step base, address          one step of the panel whose sums begin at register number base
 *
 * or, with STEP_FETCHES, no `operand` but a longer step, for an operand of more than registers hold and steps of many lines:
 *
 *   step base, address, operand, ahead   loads from operand itself, and prefetches the lines of the step at ahead
 *
 * and then says `walk_functions`. Three functions come out, all void (const struct walk *), and the bytes of a step:
 *
 *   SELF_rows         PLACES panels at the same columns: one operand for all
 *   SELF_columns      PLACES pieces of one panel at different columns: an operand each
 *   SELF_one          one panel
 *   SELF_step_bytes   uint64_t[2]: STEP_BYTES, OPERAND_BYTES
 *
 *   rsi rax rbx rbp  weights of places 0-3     rdx  byte of the step    r10, r8  the same, prefetch distances ahead
 *   rcx r12 r13 r14  operands of places 0-3    r15  byte of the operand    r9   end       r11 raw sums
 */
    .intel_syntax noprefix
    .altmacro

#define WALK_JOIN_(a, b) a##b
#define WALK_JOIN(a, b) WALK_JOIN_(a, b)
#define WALK_STRING_(a) #a
#define WALK_STRING(a) WALK_STRING_(a)

#define WALK_STEP_SYMBOL WALK_JOIN(SELF, _step_bytes)

#define WALK_WEIGHTS        0
#define WALK_WEIGHTS_STRIDE 8
#define WALK_OPERAND        16
#define WALK_OPERAND_STRIDE 24
#define WALK_STEPS          32
#define WALK_PREFETCH       40
#define WALK_RAW            48

.macro walk_zero number
    vpxor xmm\number, xmm\number, xmm\number
.endm
.macro walk_zero_evex number
    vpxord VECTOR\number, VECTOR\number, VECTOR\number
.endm

.macro walk_prefetch base
    .set walk_line, 0
    .rept (STEP_BYTES + 63) / 64
    prefetcht1 [\base + r10 + walk_line]
    prefetcht0 [\base + r8 + walk_line]
    .set walk_line, walk_line + 64
    .endr
.endm

.macro walk_place shared, index, weights, operands
#ifdef STEP_FETCHES
    .if \shared
    step %(\index * SUMS), \weights + rdx, rcx + r15, \weights + r10
    .else
    step %(\index * SUMS), \weights + rdx, \operands + r15, \weights + r10
    .endif
#else
    walk_prefetch \weights
    .if \shared == 0
    operand \operands + r15
    .endif
    step %(\index * SUMS), \weights + rdx
#endif
.endm

.macro walk_store number, where
    .ifc WALK_STRING(VECTOR), "zmm"
    vmovdqu64 [r11 + \where], zmm\number
    .else
    vmovdqu [r11 + \where], ymm\number
    .endif
.endm

.macro walk_function symbol, places, shared
    .text
    .globl \symbol
    .type \symbol, @function
    .balign 64
\symbol:
    endbr64
    push rbx
    push rbp
    push r12
    push r13
    push r14
    push r15
    mov rsi, [rdi + WALK_WEIGHTS]
    mov r8, [rdi + WALK_WEIGHTS_STRIDE]
    lea rax, [rsi + r8]
    lea rbx, [rsi + r8*2]
    lea rbp, [rax + r8*2]
    mov rcx, [rdi + WALK_OPERAND]
    mov r8, [rdi + WALK_OPERAND_STRIDE]
    lea r12, [rcx + r8]
    lea r13, [rcx + r8*2]
    lea r14, [r12 + r8*2]
    mov r9, [rdi + WALK_STEPS]
    imul r9, r9, STEP_BYTES
    mov r10, [rdi + WALK_PREFETCH]
    mov r8, r10
    shr r8
    mov r11, [rdi + WALK_RAW]
    xor edx, edx
    xor r15d, r15d
    load_constants
    .set walk_number, 0
    .rept \places * SUMS
    .if walk_number < 16
    walk_zero %(walk_number)
    .else
    walk_zero_evex %(walk_number)
    .endif
    .set walk_number, walk_number + 1
    .endr
    test r9, r9
    jz 2f
    .balign 64
1:
#ifndef STEP_FETCHES
    .if \shared
    operand rcx + r15
    .endif
#endif
    walk_place \shared, 0, rsi, rcx
    .if \places > 1
    walk_place \shared, 1, rax, r12
    .endif
    .if \places > 2
    walk_place \shared, 2, rbx, r13
    .endif
    .if \places > 3
    walk_place \shared, 3, rbp, r14
    .endif
    add r15, OPERAND_BYTES
    add r10, STEP_BYTES
    add r8, STEP_BYTES
    add rdx, STEP_BYTES
    cmp rdx, r9
    jne 1b
2:
    .set walk_number, 0
    .rept \places * SUMS
    walk_store %(walk_number), %(walk_number * VECTOR_BYTES)
    .set walk_number, walk_number + 1
    .endr
    vzeroupper
    pop r15
    pop r14
    pop r13
    pop r12
    pop rbp
    pop rbx
    ret
    .size \symbol, . - \symbol
.endm

.macro walk_functions
    walk_function WALK_JOIN(SELF, _rows), PLACES, 1
    walk_function WALK_JOIN(SELF, _columns), PLACES, 0
    walk_function WALK_JOIN(SELF, _one), 1, 1
    .section .rodata
    .globl WALK_STEP_SYMBOL
    .type WALK_STEP_SYMBOL, %object
    .balign 8
WALK_STEP_SYMBOL:
    .quad STEP_BYTES, OPERAND_BYTES
    .size WALK_STEP_SYMBOL, . - WALK_STEP_SYMBOL
    .section .note.GNU-stack, "", %progbits
.endm
