/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Masks without VNNI, of planes; columns 0-3, then 4-7. 32 uops for 8 output vectors.
 *
 *   ymm0-7 sums of 1 panel, plane p times 2^p   the others: planes.mask.256.inc
 */
#define INTERLEAVE    1
#define SUMS          8
#define OPERAND_BYTES STEP_COLUMNS
#include "micro/frames/microkernel_frame.h"

#ifdef __ASSEMBLER__

#include "micro/isa/dot.avx2.inc"
#define PLANES 8
#include "micro/families/planes/planes.mask.256.inc"
#include "micro/families/planes/two_registers.inc"

.macro load_constants
.endm

    microkernel_functions

#else

#include "micro/frames/finish.h"

static void finish(const int32_t *raw, int32_t correction, int32_t *out)
{
    static const int shift[] = {0, 1, 2, 3, 4, 5, 6, 7};
    finish_planes(raw, SUMS, LANES, shift, 2, correction, out);
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .gamma = "int1_planes.mask.avx2",
    .prefetch_bytes = 4096,
    .lossless = true,
    .gemv = gemv,
};

#endif
