/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Masks as weights: four columns of a panel's 32 rows, a lane a row, four times.
 *
 *   v0-15 sums of 2 panels   the others: int1_vnni4.mask_aarch64.inc
 */
#define INTERLEAVE    2
#define SUMS          8
#define OPERAND_BYTES STEP_COLUMNS
#include "micro/frames/microkernel_frame.h"

#ifdef __ASSEMBLER__

#define ACTIVATIONS v18.4b[activation_column]
#include "micro/isa/dot.neon_dotprod.inc"
#include "micro/formats/int1_vnni4/int1_vnni4.mask_aarch64.inc"

.macro load_constants
    step_constants
.endm

.macro operand address
    ldr q18, [\address]
.endm

.macro columns base, address, number
    .set activation_column, \number
    load_weights \address, 16 * \number
    dots_into \base, SUMS
    group
.endm

.macro step base, address
    columns \base, \address, 0
    columns \base, \address, 1
    columns \base, \address, 2
    columns \base, \address, 3
.endm

    microkernel_functions

#else

#include "micro/frames/finish.h"

static void finish(const int32_t *raw, int32_t correction, int32_t *out)
{
    static const int shift[] = {0};
    finish_planes(raw, 1, ROWS, shift, -2, correction, out);
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .prefetch_bytes = 1024, /* predicted: no core of aarch64 has been timed */
    .lossless = true,
    .gemv = gemv,
};

#endif
