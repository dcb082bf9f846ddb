/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prefix sums of planes; columns 0-3, then 4-7.
 *
 *   ymm0-7 sums of 1 panel   the others: int1_planes_m8.prefix.avx_vnni.inc
 */
#include "micro/formats/int1_planes_m8/layout.h"

#define INTERLEAVE    1
#define SUMS          8
#define OPERAND_BYTES STEP_COLUMNS
#include "micro/frames/microkernel_frame.h"

#ifdef __ASSEMBLER__

#include "micro/formats/int1_planes_m8/int1_planes_m8.prefix.avx_vnni.inc"
#include "micro/families/planes/two_registers.inc"

.macro load_constants
.endm

    microkernel_functions

#else

#include "micro/frames/finish.h"

static void finish(const int32_t *raw, int32_t correction, int32_t *out)
{
    finish_prefix(raw, SUMS, LANES, 1, 2, correction, out);
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
