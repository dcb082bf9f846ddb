/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Frame of a gamma sequence. The .S file states its facts as macros
 *
 *   FORMAT, SEQUENCE, ORIGIN   strings                 CLAIMED    cycles stated by the source, 0.0 if none
 *   BYTES                      packed bytes of one output vector of 32 weights
 *   VECTOR_IS_ZMM              for 512-bit registers   GROUP_DOTS, GROUP_UOPS   of one group
 *   GROUP_VECTORS              output vectors of a group, if not a register of each dot product
 *   LEAST                      fewest accumulators a kernel can work with       MOST   most that the registers allow
 *
 * and defines
 *
 *   load_constants     before the loop: constants, and the packed weights [rdi] and activations [rsi] into registers;
 *                      may use eax as scratch
 *   group              one group: GROUP_DOTS calls of `dot register`, in the order of the facts below
 *   dot_into number, register     multiply-accumulate into accumulator register <number>
 *   dot_facts          GROUP_DOTS rows `fact kind, mask, shift, bias, set` (struct sequence_dot)
 *
 * and ends with `sequence_functions`. Accumulators are registers 0 .. MOST-1.
 */
    .intel_syntax noprefix
    .altmacro

#ifdef VECTOR_IS_ZMM
#define VECTOR zmm
#define VECTOR_BYTES 64
#define vmovdqu32_or_vex vmovdqu32
#else
#define VECTOR ymm
#define VECTOR_BYTES 32
#define vmovdqu32_or_vex vmovdqu
#endif

#define SEQUENCE_JOIN_(a, b) a##b
#define SEQUENCE_JOIN(a, b) SEQUENCE_JOIN_(a, b)
#define SEQUENCE_DOTS 48
#define FIELD 0
#define BITS 1
#define SIGNED_BYTE 0x1ff
#define LOOKUP 2
#ifndef GROUP_VECTORS
#define GROUP_VECTORS (GROUP_DOTS * VECTOR_BYTES / 32)
#endif

#define SEQUENCE_SYMBOL SEQUENCE_JOIN(sequence_, SELF)

.macro dot source
    dot_into %(dot_number), \source
    .set dot_number, dot_number + 1
    .if dot_number == dot_count
    .set dot_number, 0
    .endif
.endm

.macro sequence_zero number
    vpxor xmm\number, xmm\number, xmm\number
.endm

.macro sequence_store number, where
    vmovdqu32_or_vex [r8 + \where], VECTOR\number
.endm

.macro sequence_function accumulators, multiple
    .balign 64
.Lrun_\accumulators\()_\multiple:
    endbr64
    mov r9, rsi
    mov r8, [rdi + 16]
    mov rsi, [rdi + 8]
    mov rdi, [rdi]
    load_constants
    .set dot_count, \accumulators
    .set sequence_number, 0
    .rept \accumulators
    sequence_zero %(sequence_number)
    .set sequence_number, sequence_number + 1
    .endr
    .set dot_number, 0
    .balign 64
1:
    .rept \multiple * SEQUENCE_DOTS / GROUP_DOTS
    group
    .endr
    dec r9
    jnz 1b
    .set sequence_number, 0
    .rept \accumulators
    sequence_store %(sequence_number), %(sequence_number * VECTOR_BYTES)
    .set sequence_number, sequence_number + 1
    .endr
    vzeroupper
    ret
.endm

.macro sequence_pair accumulators
    .if \accumulators <= MOST
    sequence_function \accumulators, 1
    sequence_function \accumulators, 2
    .endif
.endm

.macro sequence_row accumulators
    .if \accumulators <= MOST
    .quad \accumulators, .Lrun_\accumulators\()_1, .Lrun_\accumulators\()_2
    .endif
.endm

.macro fact kind, mask, shift, bias, set
    .long \kind, \mask, \shift, \bias, \set
.endm

.macro sequence_functions
    .text
    .irp accumulators, 1, 2, 4, 8, 12
    sequence_pair \accumulators
    .endr
    .section .rodata
    .balign 4
.Ldots:
    dot_facts
.Lname: .asciz SELF_NAME
.Lisa: .asciz SELF_ISA
.Lformat: .asciz FORMAT
.Lsequence: .asciz SEQUENCE
.Lorigin: .asciz ORIGIN
    .section .data.rel.ro, "aw"
    .balign 8
.Lvariants:
    .irp accumulators, 1, 2, 4, 8, 12
    sequence_row \accumulators
    .endr
.Lvariants_end:
    .globl SEQUENCE_SYMBOL
    .type SEQUENCE_SYMBOL, @object
SEQUENCE_SYMBOL:
    .quad .Lname, .Lisa, .Lformat, .Lsequence, .Lorigin
    .double CLAIMED, BYTES
    .long VECTOR_BYTES / 4, GROUP_DOTS, GROUP_UOPS, GROUP_VECTORS, LEAST, 0
    .quad .Ldots, (.Lvariants_end - .Lvariants) / 24, .Lvariants
    .size SEQUENCE_SYMBOL, . - SEQUENCE_SYMBOL
    .section .note.GNU-stack, "", %progbits
.endm
