/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Exact look-ups in TL1's layout, 512 bits: eight lines a step, each with the tables of its two pairs. The including .S defines BASE.
 */
#include "micro/formats/tl1/layout.h"

#define STEPS_TOGETHER 8
#define TABLE_BYTES    32
#define STEP_TABLES    (TL1_STEP_PAIRS * TABLE_BYTES)
#define STEP_BYTES     (STEPS_TOGETHER * TL1_STEP_BYTES)
#define OPERAND_BYTES  (STEPS_TOGETHER * STEP_TABLES)
#include "micro/families/lookup/lookup_digits_frame.h"

#ifdef __ASSEMBLER__

#include "micro/formats/tl1/tl1.digits.avx512_vbmi_vnni.inc"

.macro load_constants
    digits_constants edi
.endm

.macro line number, address, tables, near, far
    fetch \near+\number*64, \far+\number*64
    vmovdqa64 zmm26, [\address + \number * 64]
    vmovdqa64 xmm28, [\tables + \number * STEP_TABLES]
    vmovdqa64 xmm29, [\tables + \number * STEP_TABLES + 16]
    vmovdqa64 xmm30, [\tables + \number * STEP_TABLES + 32]
    vmovdqa64 xmm31, [\tables + \number * STEP_TABLES + 48]
    look_up_line \number, zmm26, zmm28, zmm29, zmm30, zmm31
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
