/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The aarch64 half of microkernel_frame.h, which sees its macros. Addresses are registers:
 *
 *   load_constants              may use x15-x17
 *   operand address             address is a register that holds it
 *   step base, address          the same; both may use x15-x17
 *
 *   x1-x4 weights of panels 0-3, at the step    x9-x12 their operands    x6 steps left    x7, x8 prefetch distances    x14 raw sums
 *   x15-x17 of the step                         d8-d15 are the caller's, and kept on the stack
 */
.macro microkernel_zero number
    movi v\number\().2d, 0
.endm

.macro microkernel_store number, where
#ifdef VECTOR_IS_SVE256
    str z\number, [x14, #\where / VECTOR_BYTES, mul vl]
#else
    str q\number, [x14, \where]
#endif
.endm

.macro microkernel_prefetch weights
    add x15, \weights, x7
    add x16, \weights, x8
    .set microkernel_line, 0
    .rept (STEP_BYTES + 63) / 64
    prfm pldl2keep, [x15, microkernel_line]
    prfm pldl1keep, [x16, microkernel_line]
    .set microkernel_line, microkernel_line + 64
    .endr
.endm

.macro microkernel_panel shared, index, weights, operands
    microkernel_prefetch \weights
    .if \shared == 0
    operand \operands
    add \operands, \operands, OPERAND_BYTES
    .endif
    step %(\index * SUMS), \weights
    add \weights, \weights, STEP_BYTES
.endm

.macro microkernel_function symbol, ways, shared
    .text
    .globl \symbol
    .type \symbol, %function
    .balign 64
\symbol:
    hint 34 /* bti c */
    stp d8, d9, [sp, -64]!
    stp d10, d11, [sp, 16]
    stp d12, d13, [sp, 32]
    stp d14, d15, [sp, 48]
    ldp x1, x15, [x0, MICROKERNEL_WEIGHTS]
    add x2, x1, x15
    add x3, x2, x15
    add x4, x3, x15
    ldp x9, x15, [x0, MICROKERNEL_OPERAND]
    add x10, x9, x15
    add x11, x10, x15
    add x12, x11, x15
    ldp x6, x7, [x0, MICROKERNEL_STEPS]
    lsr x8, x7, 1
    ldr x14, [x0, MICROKERNEL_RAW]
    load_constants
    .set microkernel_number, 0
    .rept \ways * SUMS
    microkernel_zero %(microkernel_number)
    .set microkernel_number, microkernel_number + 1
    .endr
    cbz x6, 2f
    .balign 64
1:
    .if \shared
    operand x9
    add x9, x9, OPERAND_BYTES
    .endif
    step_mark_begin
    microkernel_panel \shared, 0, x1, x9
    step_mark_end
    .if \ways > 1
    microkernel_panel \shared, 1, x2, x10
    .endif
    .if \ways > 2
    microkernel_panel \shared, 2, x3, x11
    .endif
    .if \ways > 3
    microkernel_panel \shared, 3, x4, x12
    .endif
    subs x6, x6, 1
    b.ne 1b
2:
    .set microkernel_number, 0
    .rept \ways * SUMS
    microkernel_store %(microkernel_number), %(microkernel_number * VECTOR_BYTES)
    .set microkernel_number, microkernel_number + 1
    .endr
    ldp d10, d11, [sp, 16]
    ldp d12, d13, [sp, 32]
    ldp d14, d15, [sp, 48]
    ldp d8, d9, [sp], 64
    ret
    .size \symbol, . - \symbol
.endm
