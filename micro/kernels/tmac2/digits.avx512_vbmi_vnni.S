/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Eight lines a step, each with its tables.
 */
#include "micro/kernels/tmac2/layout.h"

#define BASE           31
#define STEPS_TOGETHER 8
#define TABLE_BYTES    32
#define STEP_BYTES     (STEPS_TOGETHER * TMAC2_STEP_BYTES)
#define OPERAND_BYTES  (STEPS_TOGETHER * TABLE_BYTES)
#include "micro/kernels/lookup_digits_frame.h"

#ifdef __ASSEMBLER__

#include "micro/sequences/x86_64/tmac2.digits.avx512_vbmi_vnni.inc"

.macro load_constants
    digits_constants edi
.endm

.macro line number, address, tables, near, far
    fetch \near+\number*64, \far+\number*64
    vmovdqa64 xmm28, [\tables + \number * TABLE_BYTES]
    vmovdqa64 xmm29, [\tables + \number * TABLE_BYTES + 16]
    vmovdqa64 zmm26, [\address + \number * 64]
    look_up_line \number, zmm26, zmm28, zmm29
.endm

.macro step base, address, operand, near, far
    .irp number, 0, 1, 2, 3, 4, 5, 6, 7
    line \number, \address, \operand, \near, \far
    .endr
    dots_into \base, SUMS
    dot_digits
.endm

    microkernel_functions

#endif
