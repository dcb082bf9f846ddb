/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Frame of a GEMV inner loop in assembly: goes through the steps of several panels side by side and leaves the raw sums.
 *
 * One core reads most when it reads several streams at once with a prefetch some lines ahead of each (see micro/streams). Each line is
 * asked for once: asked for in L2 as well, twice as far ahead, kernels read up to a seventh less on Zen 5, and none read more. The compilers
 * of today copy vpdpbusd accumulators around, so the loop is written out here and a kernel
 * brings only its step. The kernel's .S defines
 *
 *   ROWS                        of a panel, in the kernels.def of the format
 *   STEP_BYTES, OPERAND_BYTES   weights and activation operand of one step
 *   INTERLEAVE, SUMS            panels side by side, and vector registers of sums of each; sums are registers
 *                               0 .. INTERLEAVE*SUMS-1
 *   VECTOR_IS_ZMM               registers of 512 bits; default 256, on aarch64 128, where VECTOR_IS_SVE256 is 256
 *   SUMS_ARE_FLOATS             default 32-bit integers
 *   MICROKERNEL_FETCH           what prefetches weights on x86-64; default prefetcht0
 *
 * then includes this, and for the assembler alone (#ifdef __ASSEMBLER__: the .c includes the same file for these facts)
 * the step of the sequence of the same name, micro/formats/<format>/<name>.inc, and defines
 *
 *   load_constants              once, before the loop; may use rdi as scratch
 *   operand address             load what all panels share: the activations of the step
 *   step base, address          one step of the panel whose sums begin at register number base: `dots_into base, SUMS`, then
 *                               the sequence's load_weights and group, as often as a step has groups
 *
 * or, with STEP_FETCHES, no `operand` but a longer step, for an operand of more than registers hold and steps of many lines:
 *
 *   step base, address, operand, near, far   loads from operand itself, and prefetches the lines of the step: those at near,
 *                                           the prefetch distance ahead, to the first-level cache and those at far, four
 *                                           times as far, to the second, if it says STEP_REACH 4
 *
 * Such a step may be cut in STEP_PARTS, of which it is told the number, `step base, address, operand, near, far, part`: the panels then take
 * turns by parts and not by whole steps, and the memory sees its streams advance more evenly.
 *
 * and then says `microkernel_functions`. Three functions come out, all void (const struct microkernel_operands *), and the bytes of a step:
 *
 *   SELF_rows         INTERLEAVE panels at the same columns: one operand for all
 *   SELF_columns      INTERLEAVE slices of one panel at different columns: an operand each
 *   SELF_one          one panel
 *   SELF_step_bytes   uint64_t[2]: STEP_BYTES, OPERAND_BYTES
 *
 * What differs on aarch64 is in microkernel_frame_aarch64.h. On x86-64:
 *
 *   rsi rax rbx rbp  weights of panels 0-3    rdx  byte of the step    r10  the same, prefetch distance ahead
 *   rcx r12 r13 r14  operands of panels 0-3   r15  byte of the operand    r9   end       r11 raw sums
 *   rdi  byte of the step, four times the distance ahead (STEP_FETCHES)
 */
#ifdef __aarch64__
#ifdef VECTOR_IS_SVE256
#define VECTOR_BYTES 32
#else
#define VECTOR_BYTES 16
#endif
#elif defined VECTOR_IS_ZMM
#define VECTOR       zmm
#define VECTOR_BYTES 64
#else
#define VECTOR       ymm
#define VECTOR_BYTES 32
#endif

#ifndef __ASSEMBLER__
#include "micro/frames/microkernel.h"
#else
#include "micro/frames/step_frame.h"

#define MICROKERNEL_JOIN_(a, b) a##b
#define MICROKERNEL_JOIN(a, b) MICROKERNEL_JOIN_(a, b)
#define MICROKERNEL_STRING_(a) #a
#define MICROKERNEL_STRING(a) MICROKERNEL_STRING_(a)

#define MICROKERNEL_STEP_SYMBOL MICROKERNEL_JOIN(SELF, _step_bytes)

#define MICROKERNEL_WEIGHTS        0
#define MICROKERNEL_WEIGHTS_STRIDE 8
#define MICROKERNEL_OPERAND        16
#define MICROKERNEL_OPERAND_STRIDE 24
#define MICROKERNEL_STEPS          32
#define MICROKERNEL_PREFETCH       40
#define MICROKERNEL_RAW            48

#ifdef __aarch64__
#include "micro/frames/microkernel_frame_aarch64.h"
#else

.macro microkernel_zero number
    vpxor xmm\number, xmm\number, xmm\number
.endm
.macro microkernel_zero_evex number
    vpxord VECTOR\number, VECTOR\number, VECTOR\number
.endm

#ifndef MICROKERNEL_FETCH
#define MICROKERNEL_FETCH prefetcht0
#endif

.macro microkernel_prefetch base
    .set microkernel_line, 0
    .rept (STEP_BYTES + 63) / 64
    MICROKERNEL_FETCH [\base + r10 + microkernel_line]
    .set microkernel_line, microkernel_line + 64
    .endr
.endm

.macro microkernel_panel shared, part, index, weights, operands
#ifdef STEP_PARTS
    .if \shared
    step %(\index * SUMS), \weights + rdx, rcx + r15, \weights + r10, \weights + rdi, \part
    .else
    step %(\index * SUMS), \weights + rdx, \operands + r15, \weights + r10, \weights + rdi, \part
    .endif
#elif defined STEP_FETCHES
    .if \shared
    step %(\index * SUMS), \weights + rdx, rcx + r15, \weights + r10, \weights + rdi
    .else
    step %(\index * SUMS), \weights + rdx, \operands + r15, \weights + r10, \weights + rdi
    .endif
#else
    microkernel_prefetch \weights
    .if \shared == 0
    operand \operands + r15
    .endif
    step %(\index * SUMS), \weights + rdx
#endif
.endm

#ifdef STEP_PARTS
#define STEP_PARTS_OR_ONE STEP_PARTS
#else
#define STEP_PARTS_OR_ONE 1
#endif

.macro microkernel_store number, where
    .ifc MICROKERNEL_STRING(VECTOR), "zmm"
    vmovdqu64 [r11 + \where], zmm\number
    .else
    vmovdqu [r11 + \where], ymm\number
    .endif
.endm

.macro microkernel_panels ways, shared, part
    step_mark_begin
    microkernel_panel \shared, \part, 0, rsi, rcx
    step_mark_end
    .if \ways > 1
    microkernel_panel \shared, \part, 1, rax, r12
    .endif
    .if \ways > 2
    microkernel_panel \shared, \part, 2, rbx, r13
    .endif
    .if \ways > 3
    microkernel_panel \shared, \part, 3, rbp, r14
    .endif
.endm

.macro microkernel_function symbol, ways, shared
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
    mov rsi, [rdi + MICROKERNEL_WEIGHTS]
    mov r8, [rdi + MICROKERNEL_WEIGHTS_STRIDE]
    lea rax, [rsi + r8]
    lea rbx, [rsi + r8*2]
    lea rbp, [rax + r8*2]
    mov rcx, [rdi + MICROKERNEL_OPERAND]
    mov r8, [rdi + MICROKERNEL_OPERAND_STRIDE]
    lea r12, [rcx + r8]
    lea r13, [rcx + r8*2]
    lea r14, [r12 + r8*2]
    mov r9, [rdi + MICROKERNEL_STEPS]
    imul r9, r9, STEP_BYTES
    mov r10, [rdi + MICROKERNEL_PREFETCH]
    mov r11, [rdi + MICROKERNEL_RAW]
    xor edx, edx
    xor r15d, r15d
    load_constants
#ifdef STEP_FETCHES
    lea rdi, [r10*4]
#endif
    .set microkernel_number, 0
    .rept \ways * SUMS
    .if microkernel_number < 16
    microkernel_zero %(microkernel_number)
    .else
    microkernel_zero_evex %(microkernel_number)
    .endif
    .set microkernel_number, microkernel_number + 1
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
    .set microkernel_part, 0
    .rept STEP_PARTS_OR_ONE
    microkernel_panels \ways, \shared, %(microkernel_part)
    .set microkernel_part, microkernel_part + 1
    .endr
    add r15, OPERAND_BYTES
    add r10, STEP_BYTES
#ifdef STEP_FETCHES
    add rdi, STEP_BYTES
#endif
    add rdx, STEP_BYTES
    cmp rdx, r9
    jne 1b
2:
    .set microkernel_number, 0
    .rept \ways * SUMS
    microkernel_store %(microkernel_number), %(microkernel_number * VECTOR_BYTES)
    .set microkernel_number, microkernel_number + 1
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
#endif

.macro microkernel_functions
    microkernel_function MICROKERNEL_JOIN(SELF, _rows), INTERLEAVE, 1
    microkernel_function MICROKERNEL_JOIN(SELF, _columns), INTERLEAVE, 0
    microkernel_function MICROKERNEL_JOIN(SELF, _one), 1, 1
    .section .rodata
    .globl MICROKERNEL_STEP_SYMBOL
    .type MICROKERNEL_STEP_SYMBOL, %object
    .balign 8
MICROKERNEL_STEP_SYMBOL:
    .quad STEP_BYTES, OPERAND_BYTES
    .size MICROKERNEL_STEP_SYMBOL, . - MICROKERNEL_STEP_SYMBOL
    .section .note.GNU-stack, "", %progbits
.endm
#endif
