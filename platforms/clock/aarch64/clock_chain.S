/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Dependent chains between two reads of the generic timer: the core clock without a PMU.
 *
 *   uint64_t clock_chain_imul_ticks(uint64_t blocks)   36 dependent 32-bit multiplies a block: 36 times their latency
 *   uint64_t clock_chain_add_ticks(uint64_t blocks)   144 dependent register adds a block, 1 cycle each: 144 cycles
 *   uint64_t clock_nop_ticks(uint64_t blocks)         144 nops a block: issue slots, no ports
 *
 * All return ticks of CNTVCT_EL0. An isb waits for everything before it, so the second read follows the last of a chain.
 *
 * The multiplier's latency differs between designs: 2 cycles on Cortex-A76 to X4 and Neoverse N1 to V2, 3 on Cortex-A57 to
 * A75, Ampere One and Apple's performance cores, 4 on some in-order cores. Hence clock.c takes it from the two chains
 * (clock_multiply_cycles). The 32-bit form: the 64-bit one of some of these cores is a longer, unpipelined operation. The
 * chain runs through a multiplicand, since the addend of madd is forwarded faster than the latency.
 *
 * x0 blocks   w1, x1 chain   w2, x2 second operand   x8 first reading
 */
    .text

.macro read_timer_into register
    isb
    mrs \register, cntvct_el0
    isb
.endm

.macro chain name, count, instruction:vararg
    .global \name
    .type \name, %function
    .balign 64
\name:
    hint 34 /* bti c */
    mov x1, 3
    mov x2, 5
    read_timer_into x8
    .balign 64
1:
    .rept \count
    \instruction
    .endr
    subs x0, x0, 1
    b.ne 1b
    read_timer_into x0
    sub x0, x0, x8
    ret
    .size \name, . - \name
.endm

    chain clock_chain_imul_ticks, 36, mul w1, w1, w2
    chain clock_chain_add_ticks, 144, add x1, x1, x2
    chain clock_nop_ticks, 144, nop

    .section .note.GNU-stack,"",%progbits
