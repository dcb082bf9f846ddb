/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of rows of floats, 32 columns of a row a step: of f32 multiply-add from memory, 4 uops on avx2 and 2 on avx512, and the loads are the limit; f16 is
 * widened by vcvtph2ps, bf16 by zero extension and a shift, exact, then multiply-add: 12 uops on avx2, 6 on avx512.
 *
 *   ymm0-7 two sums a row, 4 rows   ymm8-11 activations of 32 columns   the others: float_dot.inc
 *   zmm0-7 the same                 zmm28-29 the same
 */
#define INTERLEAVE    4
#define SUMS          2
#define OPERAND_BYTES (STEP_COLUMNS * 4)
#define SUMS_ARE_FLOATS
#include "micro/frames/microkernel_frame.h"

#ifdef __ASSEMBLER__

#include "micro/families/floats/float_dot.inc"

.macro load_constants
.endm

#ifdef VECTOR_IS_ZMM
.macro operand address
    vmovups zmm28, [\address]
    vmovups zmm29, [\address + 64]
.endm

.macro step base, address
    dots_into \base, SUMS
    group_of <[\address]>, <[\address + STEP_BYTES / 2]>, zmm28, zmm29
.endm
#else
.macro operand address
    vmovups ymm8, [\address]
    vmovups ymm9, [\address + 32]
    vmovups ymm10, [\address + 64]
    vmovups ymm11, [\address + 96]
.endm

.macro step base, address
    dots_into \base, SUMS
    group_of <[\address]>, <[\address + STEP_BYTES / 4]>, <[\address + STEP_BYTES / 2]>, <[\address + STEP_BYTES * 3 / 4]>, ymm8, ymm9, ymm10, ymm11
.endm
#endif

    microkernel_functions

#else
#include "micro/families/floats/row_sum.h"

static void finish(const float *raw, float *out)
{
    out[0] = row_sum(raw, SUMS * LANES);
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .prefetch_bytes = 2048,
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = SUMS * LANES,
    .lossless = true,
    .gemv = gemv,
};
#endif
