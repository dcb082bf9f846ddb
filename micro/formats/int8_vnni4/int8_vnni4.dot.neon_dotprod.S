/* SPDX-License-Identifier: BSD-3-Clause
 *
 * int8: no up-convert. sdot takes both sides signed, so the weights are stored as they are: 2 dot products for 32 weights.
 * Neoverse N1, N2: sdot on both of 2 vector pipes, 4 products a lane: >= 1.0. V1, V2: 4 pipes: >= 0.5.
 * Latency of the accumulation 1 (forwarded).
 *
 *   v0-11 accumulators   the others: int8_vnni4.dot.inc
 */
#define ORIGIN        "arm-kernels-codebooks"
#define CLAIMED       0.0
#define BYTES         32.0
#define WEIGHT_BYTES  32
#define GROUP_DOTS    2
#define LEAST         1
#define MOST          12
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/isa/dot.neon_dotprod.inc"
#include "micro/formats/int8_vnni4/int8_vnni4.dot_aarch64.inc"

    sequence_functions
#else
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    for (uint32_t i = 0; i < 16; i++)
        ((int32_t *)sum)[i / 4] += (int8_t)data->weights[dot * 16 + i] * (int8_t)data->activations[i];
}
#endif
