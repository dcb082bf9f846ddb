/* SPDX-License-Identifier: BSD-3-Clause
 *
 * usdot of four registers of eight rows: the baseline without an up-convert.
 *
 *   z0-15 sums of 4 panels   the others: int8_vnni4_aarch64.inc
 */
#define INTERLEAVE    4
#define SUMS          4
#define OPERAND_BYTES STEP_COLUMNS
#define VECTOR_IS_SVE256
#include "micro/frames/microkernel_frame.h"

#ifdef __ASSEMBLER__

#include "micro/isa/dot.sve256.inc"
#include "micro/formats/int8_vnni4/int8_vnni4_aarch64.inc"

.macro load_constants
    ptrue p0.b
    step_constants
.endm

.macro operand address
    mov x17, \address
.endm

.macro load_activations column
    ld1rw {z18.s}, p0/z, [x17, 4 * \column]
.endm

.macro step base, address
    load_weights \address, 0
    load_activations 0
    dots_into \base, SUMS
    group
    load_weights \address, 64
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
