/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Masks without VNNI; columns 0-3 and 4-7 are added as words. 30 uops for 8 output vectors.
 *
 *   ymm0-7 sums of 2 panels, of fields 0-3; fields 1 and 3 times 4   the others: int2_vnni4.mask.avx2.inc
 */
#define INTERLEAVE    2
#define SUMS          4
#define OPERAND_BYTES STEP_COLUMNS
#include "micro/frames/microkernel_frame.h"

#ifdef __ASSEMBLER__

#include "micro/formats/int2_vnni4/int2_vnni4.mask.avx2.inc"

.macro load_constants
.endm

.macro operand address
    vpbroadcastd ymm10, dword ptr [\address]
    vpbroadcastd ymm11, dword ptr [\address + 4]
.endm

.macro step base, address
    load_weights \address, 0
    dots_into \base, SUMS
    group
.endm

    microkernel_functions

#else

#include "micro/frames/finish.h"

static void finish(const int32_t *raw, int32_t correction, int32_t *out)
{
    static const int shift[] = {0, 2, 0, 2}; /* fields 1 and 3 kept their place in the nibble */
    finish_planes(raw, SUMS, LANES, shift, 1, correction, out);
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
