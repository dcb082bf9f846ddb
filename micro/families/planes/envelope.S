/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The microkernels of [envelope] with 256 bits. int1_vnni4 [III-D, Fig. 2]: broadcast 32 bits, byte shuffle, AND, compare, blend, dot product for every 32
 * weights, two panels side by side. int2_vnni4 [III-B and III-C, Fig. 1]: columns 0-3, then 4-7 of a panel. Without VNNI each dot product is vpmaddubsw,
 * vpmaddwd with ones and vpaddd; 3 * 127 * 2 stays far within 16 bits. With avx_vnni_int8 what weights are multiplied as has no offset
 * (micro/families/planes/signed_weights.h), and the prefetch distance is that of avx_vnni: no CPU with this instruction set has been at hand.
 *
 *   ymm0-7 sums of 2 panels, ymm0-3 of 1   the others: int1_vnni4.envelope.inc, int2_vnni4.envelope.inc
 */
#include "micro/of_self.h"

#define SUMS          4
#define OPERAND_BYTES STEP_COLUMNS
#include "micro/frames/microkernel_frame.h"

#ifdef __ASSEMBLER__

#include OF_ISA(micro/isa/dot)
#include OF_FORMAT(envelope.inc)

    microkernel_functions

#else

#include "micro/frames/finish.h"

static void finish(const int32_t *raw, int32_t correction, int32_t *out)
{
    finish_rows(raw, ROWS, correction, out);
}

#ifdef WEIGHTS_ARE_SIGNED
#include "micro/families/planes/signed_weights.h"

static void gemv_signed(const struct gemv_slice *slice)
{
    const struct gemv_slice other = signed_weights_slice(slice, &SELF_FORMAT);
    gemv(&other);
}

#define GEMV    gemv_signed
#define DIFFERS "never timed: no CPU of this instruction set was at hand"
#else
#define GEMV gemv
#ifdef __AVXVNNI__
#define DIFFERS NULL
#else
#define DIFFERS "without VNNI, for which there is no original"
#endif
#endif

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "envelope",
    .differs = DIFFERS,
    .prefetch_beside = PREFETCH_BESIDE,
    .lossless = true,
    .gemv = GEMV,
};

#endif
