/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prefix sums of planes, the fields of a byte: eight of int1_planes over 2 panels, four of int2_planes over 3, both nibbles of int4_vnni4 over 2; at 256 bits
 * eight of int1_planes_m8 over 1, four of int2_vnni4 over 3, columns 0-3, then 4-7.
 *
 *   zmm0-15, zmm0-11, zmm0-3 sums, ymm0-7, ymm0-11   the others: planes.prefix.avx512_vnni.inc, planes.prefix.256.inc
 */
#include "micro/of_self.h"

#define SUMS          PLANES
#define OPERAND_BYTES STEP_COLUMNS
#include "micro/frames/microkernel_frame.h"

#ifdef __ASSEMBLER__

#include OF_ISA(micro/isa/dot)
#ifdef VECTOR_IS_ZMM
#include "micro/families/planes/planes.prefix.avx512_vnni.inc"
#else
#include "micro/families/planes/planes.prefix.256.inc"
#endif

.macro load_constants
    step_constants edi
.endm

#ifdef VECTOR_IS_ZMM
.macro operand address
    vpbroadcastd ACTIVATIONS, dword ptr [\address]
.endm

.macro step base, address
    load_weights \address, 0
    dots_into \base, SUMS
    group
.endm
#else
#include "micro/families/planes/two_registers.inc"
#endif

    microkernel_functions

#else

#include "micro/frames/finish.h"

/* A bit is u = (w + 1) / 2. */
static void finish(const int32_t *raw, int32_t correction, int32_t *out)
{
    finish_prefix(raw, SUMS, LANES, 8 / PLANES, PLANES == 8 ? 2 : 1, correction, out);
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .prefetch_bytes = PREFETCH,
    .lossless = true,
    .gemv = gemv,
};

#endif
