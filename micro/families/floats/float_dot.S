/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of rows of floats, 32 columns of a row a step: of f32 multiply-add from memory, 4 uops on avx2 and 2 on avx512, and the loads are the limit; f16 is
 * widened by vcvtph2ps, exact, then multiply-add: 12 uops on avx2, 6 on avx512; of bf16 8 and 4, and its loads.
 *
 *   ymm0-7 two sums a row, 4 rows   ymm8-11 activations of 32 columns   the others: float_dot.inc   of bf16 ymm14, zmm30 weights   ymm15, zmm31 floats
 *   zmm0-7 the same                 zmm28-29 the same
 */
#define INTERLEAVE    4
#define SUMS          2
#define OPERAND_BYTES (STEP_COLUMNS * 4)
#define SUMS_ARE_FLOATS
#include "micro/frames/microkernel_frame.h"

#ifdef __ASSEMBLER__

#ifdef VECTOR_IS_ZMM
#define FLOATS zmm31
#else
#define FLOATS ymm15
#endif
#include "micro/families/floats/float_dot.inc"

.macro load_constants
#ifdef WEIGHTS_ARE_BF16
    step_constants edi
#endif
.endm

#ifdef VECTOR_IS_ZMM
.macro operand address
    vmovups zmm28, [\address]
    vmovups zmm29, [\address + 64]
.endm

.macro step base, address
    dots_into \base, SUMS
#ifdef WEIGHTS_ARE_BF16
    vmovdqu64 zmm30, [\address]
    group_of zmm30, zmm28, zmm29
#else
    group_of <[\address]>, <[\address + STEP_BYTES / 2]>, zmm28, zmm29
#endif
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
#ifdef WEIGHTS_ARE_BF16
    vmovdqu ymm14, [\address]
    group_of_unpacked ymm14, ymm8, ymm9
    vmovdqu ymm14, [\address + STEP_BYTES / 2]
    group_of_shifted ymm14, ymm10, ymm11
#else
    group_of <[\address]>, <[\address + STEP_BYTES / 4]>, <[\address + STEP_BYTES / 2]>, <[\address + STEP_BYTES * 3 / 4]>, ymm8, ymm9, ymm10, ymm11
#endif
.endm
#endif

    microkernel_functions

#else
#include "micro/families/floats/row_sum.h"

static void finish(const float *raw, float *out)
{
    out[0] = row_sum(raw, SUMS * LANES);
}

#ifdef WEIGHTS_ARE_BF16
/** Activations of a step in the order that its weights have in registers: 16 even columns, then odd ones; in 256 bits those of the last 16 likewise. */
static void prepare(const void *activations, size_t k, void *prepared)
{
    const float *x = activations;
    float *to = prepared;
    for (size_t step = 0; step < k; step += STEP_COLUMNS, x += STEP_COLUMNS, to += STEP_COLUMNS) {
#ifdef VECTOR_IS_ZMM
        for (size_t i = 0; i < 16; i++) {
            to[i] = x[2 * i];
            to[16 + i] = x[2 * i + 1];
        }
#else
        for (size_t i = 0; i < 8; i++) {
            to[i] = x[i + i / 4 * 4];
            to[8 + i] = x[4 + i + i / 4 * 4];
            to[16 + i] = x[16 + 2 * i];
            to[24 + i] = x[16 + 2 * i + 1];
        }
#endif
    }
}
#endif

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
#ifdef WEIGHTS_ARE_BF16
    .prepared_bytes_per_step = OPERAND_BYTES,
    .prepare = prepare,
#endif
};
#endif
