/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The sign bit flipped, where no instruction takes unsigned weights: for sdot, or smull with neon, in eight registers of four rows.
 *
 *   v0-15 sums of 2 panels   the others: int8_vnni4_aarch64.inc
 */
#include "micro/of_self.h"

#define INTERLEAVE    2
#define SUMS          8
#define OPERAND_BYTES STEP_COLUMNS
#include "micro/frames/microkernel_frame.h"

#ifdef __ASSEMBLER__

#ifdef TAKES_BY_ELEMENT
#define ACTIVATIONS v18.4b[activation_column]

.macro operand address
    ldr s18, [\address]
.endm
#else
.macro operand address
    ld1r {v18.4s}, [\address]
.endm
#endif

#include OF_ISA(micro/isa/dot)
#define SIGNS_ARE_FLIPPED
#include "micro/formats/int8_vnni4/int8_vnni4_aarch64.inc"

.macro load_constants
    step_constants
.endm

.macro step base, address
    load_weights \address, 0
    .set activation_column, 0
    dots_into \base, SUMS
    group
    load_weights \address, 32
    group
    load_weights \address, 64
    group
    load_weights \address, 96
    group
.endm

    microkernel_functions

#else

#include "micro/frames/finish.h"

static void finish(const int32_t *raw, int32_t correction, int32_t *out)
{
    finish_rows(raw, ROWS, correction, out);
}

/** Sums of w a take what the correction takes off those of u a, offset times the sum of the activations, back. */
static void gemv_signed(const struct gemv_slice *slice)
{
    struct gemv_slice with_sum = *slice;
    int32_t sum = 0;
    for (size_t i = 0; i < slice->k; i++)
        sum += slice->activations[i];
    with_sum.correction = add_wrapping(slice->correction, SELF_FORMAT.activation_offset * sum);
    gemv(&with_sum);
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .prefetch_bytes = 1024, /* predicted: no core of aarch64 has been timed */
    .lossless = true,
    .gemv = gemv_signed,
};

#endif
