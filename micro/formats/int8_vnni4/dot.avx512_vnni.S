/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two loads and two vpdpbusd a step: the baseline without an up-convert. Two panels side by side read more than four, of which each step is two lines.
 *
 *   zmm0-3 sums of 2 panels   the others: int8_vnni4.dot.inc
 */
#define INTERLEAVE    2
#define SUMS          2
#define OPERAND_BYTES STEP_COLUMNS
#define VECTOR_IS_ZMM
#include "micro/frames/microkernel_frame.h"

#ifdef __ASSEMBLER__

#include "micro/isa/dot.avx512_vnni.inc"
#include "micro/formats/int8_vnni4/int8_vnni4.dot.inc"

.macro load_constants
.endm

.macro operand address
    vpbroadcastd ACTIVATIONS, dword ptr [\address]
.endm

.macro vector sum, weights
    dots_into \sum, 1
    group_of \weights
.endm

.macro step base, address
    vmovdqa64 zmm30, [\address]
    vmovdqa64 zmm31, [\address + 64]
    vector \base, zmm30
    vector %(\base + 1), zmm31
.endm

    microkernel_functions

#else

#include "micro/frames/finish.h"

static void finish(const int32_t *raw, int32_t correction, int32_t *out)
{
    finish_rows(raw, ROWS, correction, out);
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "envelope",
    .differs = "with our prefetch and several panels side by side",
    .prefetch_bytes = 2048,
    .lossless = true,
    .gemv = gemv,
};

#endif
