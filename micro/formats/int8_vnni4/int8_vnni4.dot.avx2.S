/* SPDX-License-Identifier: BSD-3-Clause
 *
 * int8 without VNNI: the magnitude of w = u - 128 times a with the sign of w, because vpmaddubsw takes one unsigned operand.
 * Exact for activations in [-127, 127]. A fifth sum, of 128 times the activations, is shared by four registers.
 * Golden Cove: vpsignb, vpabsb, vpmaddubsw, vpmaddwd p01: 18 of 27 uops for 4 output vectors: >= 2.25.
 *
 *   ymm0-7 accumulators   the others: int8_vnni4.dot.avx2.inc
 */
#define ORIGIN     "kneepoint"
#define CLAIMED    0.0
#define BYTES      32.0
#define GROUP_DOTS 5
#define GROUP_VECTORS 4
#define LEAST      5
#define MOST       8
#define WEIGHT_BYTES 128
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

#include "micro/formats/int8_vnni4/int8_vnni4.dot.avx2.inc"

.macro load_constants
    vmovdqu ACTIVATIONS, [rsi]
    step_constants
.endm

.macro load_weights base, offset
    vmovdqu ymm8, [\base + \offset]
    vmovdqu ymm9, [\base + \offset + 32]
    vmovdqu ymm10, [\base + \offset + 64]
    vmovdqu ymm11, [\base + \offset + 96]
.endm

.macro group
    group_of ymm8, ymm9, ymm10, ymm11
.endm

    sequence_functions

#else

/* rows of a register each, and what makes u of w */
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    const int8_t *activations = (const int8_t *)data->activations;
    int32_t *lanes = sum;
    for (uint32_t i = 0; i < 32; i++)
        lanes[i / 4] += (dot < 4 ? data->weights[32 * dot + i] - 128 : 128) * activations[i];
}

#endif
