/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Masks: each field of a block of 128 stays in its place in the byte, and its sums are shifted right at the end of the row.
 *
 *   ymm0-7 sums of 2 rows, of bits 7:6 first   the others: i2_s.mask.avx_vnni.inc
 */
#define INTERLEAVE    2
#define SUMS          4
#define OPERAND_BYTES STEP_COLUMNS
#include "micro/frames/microkernel_frame.h"

#ifdef __ASSEMBLER__

#include "micro/formats/i2_s/i2_s.mask.avx_vnni.inc"

.macro load_constants
.endm

.macro operand address
    load_activations \address
.endm

.macro step base, address
    load_weights \address, 0
    dots_into \base, SUMS
    group
.endm

    microkernel_functions

#else
#include "micro/kernel.h"

static void finish(const int32_t *raw, int32_t correction, int32_t *out)
{
    int32_t sum = correction;
    for (int field = 0; field < SUMS; field++) {
        for (int lane = 0; lane < LANES; lane++)
            sum = add_wrapping(sum, raw[field * LANES + lane] >> (6 - 2 * field));
    }
    out[0] = sum;
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
