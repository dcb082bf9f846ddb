/* SPDX-License-Identifier: BSD-3-Clause
 *
 * int8: no up-convert; usdot on 256 bits takes the weights unsigned, u = w + 128. 2 dot products for 64 weights.
 * Neoverse V1: 2 uops on 2 pipes of 256 bits: >= 0.5.
 *
 *   z0-11 accumulators   the others: int8_vnni4.dot.inc
 */
#define ORIGIN     "kneepoint"
#define CLAIMED    0.0
#define BYTES      32.0
#define WEIGHT_BYTES 64
#define GROUP_DOTS 2
#define LEAST      1
#define MOST       12
#define VECTOR_IS_SVE256
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/isa/dot.sve256.inc"
#include "micro/formats/int8_vnni4/int8_vnni4.dot_aarch64.inc"

    sequence_functions
#else
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    for (uint32_t i = 0; i < VECTOR_BYTES; i++)
        ((int32_t *)sum)[i / 4] += data->weights[dot * VECTOR_BYTES + i] * (int8_t)data->activations[i];
}
#endif
