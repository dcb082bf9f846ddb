/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The microkernel of [envelope, III-D, Fig. 2] as its library has it at 512 bits: 64 bits of weights into a mask register, blend,
 * dot product. Two panels are its 64 rows.
 *
 *   zmm0-3 sums of 2 panels   the others: int1_vnni4.envelope.avx512_vnni.inc
 */
#define INTERLEAVE    2
#define SUMS          2
#define OPERAND_BYTES STEP_COLUMNS
#define VECTOR_IS_ZMM
#include "micro/frames/microkernel_frame.h"

#ifdef __ASSEMBLER__

#include "micro/formats/int1_vnni4/int1_vnni4.envelope.avx512_vnni.inc"

.macro load_constants
    step_constants edi
.endm

.macro operand address
    lea rdi, [\address]
.endm

.macro words base, address
    load_weights \address, 0
    dots_into \base, 1
    group
.endm

.macro columns base, address, column
    vpbroadcastd ACTIVATIONS, dword ptr [rdi + \column]
    words \base, \address
    words %(\base + 1), \address + 8
.endm

.macro step base, address
    columns \base, \address, 0
    columns \base, \address + 16, 4
    columns \base, \address + 32, 8
    columns \base, \address + 48, 12
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
    .differs = "by libxsmm's blend under a mask, where the paper shuffles and tests bits",
    .prefetch_beside = 512,
    .lossless = true,
    .gemv = gemv,
};

#endif
