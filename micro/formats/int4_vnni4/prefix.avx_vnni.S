/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prefix sums of nibbles over 2 panels; rows 0-7 and 16-23 of a panel, then 8-15 and 24-31.
 *
 *   ymm0-7 sums of 2 panels   the others: planes.prefix.256.inc
 */
#define INTERLEAVE    2
#define SUMS          4
#define OPERAND_BYTES STEP_COLUMNS
#include "micro/frames/microkernel_frame.h"

#ifdef __ASSEMBLER__

#include "micro/isa/dot.avx_vnni.inc"
#define PLANES 2
#include "micro/families/planes/planes.prefix.256.inc"

.macro load_constants
    step_constants
.endm

.macro operand address
    vpbroadcastd ACTIVATIONS, dword ptr [\address]
.endm

.macro step base, address
    load_weights \address, 0
    dots_into \base, 2
    group
    load_weights \address, 32
    dots_into %(\base + 2), 2
    group
.endm

    microkernel_functions

#else

#include "micro/frames/finish.h"

/* The sums are low and high nibbles of rows 0-7, then of rows 8-15. */
static void finish(const int32_t *raw, int32_t correction, int32_t *out)
{
    for (int half = 0; half < 2; half++) {
        int32_t rows[2 * LANES];
        finish_prefix(raw + half * 2 * LANES, 2, LANES, 4, 1, correction, rows);
        finish_rows(rows, LANES, 0, out + half * LANES);
        finish_rows(rows + LANES, LANES, 0, out + (2 + half) * LANES);
    }
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
