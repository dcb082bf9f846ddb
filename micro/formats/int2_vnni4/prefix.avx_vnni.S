/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prefix sums of planes over 3 panels; columns 0-3, then 4-7.
 *
 *   ymm0-11 sums of 3 panels   the others: int2_vnni4.prefix.avx_vnni.inc
 */
#include "micro/formats/int2_vnni4/layout.h"

#define INTERLEAVE    3
#define SUMS          4
#define OPERAND_BYTES STEP_COLUMNS
#include "micro/frames/microkernel_frame.h"

#ifdef __ASSEMBLER__

#include "micro/formats/int2_vnni4/int2_vnni4.prefix.avx_vnni.inc"

.macro load_constants
.endm

.macro operand address
    lea rdi, [\address]
.endm

.macro half base, address, column
    vpbroadcastd ACTIVATIONS, dword ptr [rdi + \column]
    load_weights \address, 0
    dots_into \base, SUMS
    group_of ymm14
.endm

.macro step base, address
    half \base, \address, 0
    half \base, \address + 32, 4
.endm

    microkernel_functions

#else

#include "micro/frames/finish.h"

static void finish(const int32_t *raw, int32_t correction, int32_t *out)
{
    finish_prefix(raw, SUMS, LANES, 2, 1, correction, out);
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
