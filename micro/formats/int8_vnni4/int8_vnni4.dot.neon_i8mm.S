/* SPDX-License-Identifier: BSD-3-Clause
 *
 * int8: no up-convert. usdot takes the weights unsigned, u = w + 128, as x86's vpdpbusd does: 2 dot products for 32 weights.
 * Neoverse N2: usdot on both of 2 vector pipes: >= 1.0. V1, V2: 4 pipes: >= 0.5.
 *
 *   v0-11 accumulators   the others: int8_vnni4.dot.inc
 */
#define ORIGIN        "envelope"
#define CLAIMED       0.0
#define BYTES         32.0
#define WEIGHT_BYTES  32
#define GROUP_DOTS    2
#define LEAST         1
#define MOST          12
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/isa/dot.neon_i8mm.inc"
#include "micro/formats/int8_vnni4/int8_vnni4.dot_aarch64.inc"

    sequence_functions
#else
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    for (uint32_t i = 0; i < 16; i++)
        ((int32_t *)sum)[i / 4] += data->weights[dot * 16 + i] * (int8_t)data->activations[i];
}
#endif
