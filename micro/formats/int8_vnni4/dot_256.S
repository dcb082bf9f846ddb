/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four loads and four vpdpbusd a step, with avx_vnni_int8 vpdpbsud, signed activations times the offset-binary weights of the format: the baseline
 * without an up-convert.
 *
 *   ymm0-11 sums of 3 panels   the others: int8_vnni4.dot.inc
 */
#include "micro/of_self.h"

#define INTERLEAVE    3
#define SUMS          4
#define OPERAND_BYTES STEP_COLUMNS
#include "micro/frames/microkernel_frame.h"

#ifdef __ASSEMBLER__

#include OF_ISA(micro/isa/dot)
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
    vmovdqa ymm13, [\address]
    vmovdqa ymm14, [\address + 32]
    vmovdqa ymm15, [\address + 64]
    vector \base, ymm13
    vmovdqa ymm13, [\address + 96]
    vector %(\base + 1), ymm14
    vector %(\base + 2), ymm15
    vector %(\base + 3), ymm13
.endm

    microkernel_functions

#else

#include "micro/frames/finish.h"

static void finish(const int32_t *raw, int32_t correction, int32_t *out)
{
    finish_rows(raw, ROWS, correction, out);
}

#ifdef NEVER_TIMED
#define DIFFERS "with our prefetch and several panels side by side, never timed"
#else
#define DIFFERS "with our prefetch and several panels side by side"
#endif

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "envelope",
    .differs = DIFFERS,
    .prefetch_bytes = 2048,
    .lossless = true,
    .gemv = gemv,
};

#endif
