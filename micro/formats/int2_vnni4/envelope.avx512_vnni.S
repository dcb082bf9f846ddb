/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The microkernel of [envelope, III-B and III-C, Fig. 1] at 512 bits. A register holds columns 0-3 of 32 rows in its lower
 * half and columns 4-7 in its upper half.
 *
 *   zmm0-11 sums of 3 panels   k1 lower half   the others: int2_vnni4.envelope.avx512_vnni.inc
 */
#define INTERLEAVE    3
#define SUMS          4
#define OPERAND_BYTES STEP_COLUMNS
#define VECTOR_IS_ZMM
#include "micro/frames/microkernel_frame.h"

#ifdef __ASSEMBLER__

#include "micro/formats/int2_vnni4/int2_vnni4.envelope.avx512_vnni.inc"

.macro load_constants
    step_constants edi
    mov edi, 0xff
    kmovw k1, edi
.endm

.macro operand address
    vpbroadcastd ACTIVATIONS, dword ptr [\address + 4]
    vpbroadcastd ACTIVATIONS{k1}, dword ptr [\address]
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
    finish_halves(raw, SUMS, correction, out);
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "envelope",
    .differs =
        "by shuffles of 16, where its original looks up 64 (vpermb); 11% less time from memory, 34% less from a cache",
    .prefetch_beside = 512,
    .lossless = true,
    .gemv = gemv,
};

#endif
