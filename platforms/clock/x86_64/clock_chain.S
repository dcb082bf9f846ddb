/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Dependent chains of known latency between two TSC reads: the core clock without a PMU.
 *
 *   uint64_t clock_chain_imul_ticks(uint64_t blocks)   48 dependent 64-bit imul a block, 3 cycles each: 144 cycles
 *   uint64_t clock_chain_add_ticks(uint64_t blocks)   144 dependent register adds a block, 1 cycle each: 144 cycles
 *
 *   uint64_t clock_nop_ticks(uint64_t blocks)         144 nops a block: issue slots, no ports. Of 4 bytes, so that the uop cache holds them
 *
 * All return TSC ticks. The chains end in the lfence before the second read, so it waits for the last of them. The
 * adds take a register operand: recent cores fold add-immediate at rename, and the chain would then not run at all.
 *
 * rdi blocks   rsi chain   rdx, rax TSC   r8 first TSC   rcx addend
 */
    .intel_syntax noprefix
    .text

.macro read_tsc_into register
    lfence
    rdtsc
    shl rdx, 32
    or rax, rdx
    mov \register, rax
    lfence
.endm

.macro chain name, count, instruction:vararg
    .global \name
    .type \name, @function
    .balign 64
\name:
    endbr64
    mov esi, 3
    mov ecx, 5
    read_tsc_into r8
    .balign 64
1:
    .rept \count
    \instruction
    .endr
    dec rdi
    jnz 1b
    read_tsc_into rax
    sub rax, r8
    ret
    .size \name, . - \name
.endm

    chain clock_chain_imul_ticks, 48, imul rsi, rsi
    chain clock_chain_add_ticks, 144, add rsi, rcx
    chain clock_nop_ticks, 144, nop dword ptr [rax + 8]

    .section .note.GNU-stack,"",%progbits
