/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Without VNNI: signed weights, and a fifth sum that makes sum u a of sum w a.
 *
 *   ymm0-9 sums of 2 panels, the fifth of each 128 sum a   the others: int8_vnni4.dot.avx2.inc
 */
#define INTERLEAVE    2
#define SUMS          5
#define OPERAND_BYTES STEP_COLUMNS
#include "micro/frames/microkernel_frame.h"

#ifdef __ASSEMBLER__

#include "micro/formats/int8_vnni4/int8_vnni4.dot.avx2.inc"

.macro load_constants
    step_constants
.endm

.macro operand address
    vpbroadcastd ACTIVATIONS, dword ptr [\address]
.endm

.macro step base, address
    dots_into \base, SUMS
    group_of <[\address]>, <[\address + 32]>, <[\address + 64]>, <[\address + 96]>
.endm

    microkernel_functions

#else

/* The fifth sum holds 128 sum a in every lane. */
static void finish(const int32_t *raw, int32_t correction, int32_t *out)
{
    for (int row = 0; row < ROWS; row++)
        out[row] = add_wrapping(add_wrapping(raw[row], raw[ROWS]), correction);
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .prefetch_bytes = 4096,
    .lossless = true,
    .gemv = gemv,
};

#endif
