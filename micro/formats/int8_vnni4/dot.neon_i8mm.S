/* SPDX-License-Identifier: BSD-3-Clause
 *
 * usdot of eight registers of four rows: the baseline without an up-convert.
 *
 *   v0-15 sums of 2 panels   the others: int8_vnni4_aarch64.inc
 */
#define INTERLEAVE    2
#define SUMS          8
#define OPERAND_BYTES STEP_COLUMNS
#include "micro/frames/microkernel_frame.h"

#ifdef __ASSEMBLER__

#define ACTIVATIONS v18.4b[activation_column]
#include "micro/isa/dot.neon_i8mm.inc"
#include "micro/formats/int8_vnni4/int8_vnni4_aarch64.inc"

.macro load_constants
    step_constants
.endm

.macro operand address
    ldr s18, [\address]
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

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "envelope",
    .differs = "with our prefetch; not measured beside its original, as nothing of aarch64 is",
    .prefetch_bytes = 1024, /* predicted: no core of aarch64 has been timed */
    .lossless = true,
    .gemv = gemv,
};

#endif
