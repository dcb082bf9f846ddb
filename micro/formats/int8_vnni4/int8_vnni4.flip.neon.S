/* SPDX-License-Identifier: BSD-3-Clause
 *
 * int8 stored unsigned, u = w + 128, without dot products: the sign bit is flipped, and 16 products take two multiplications, an addition by
 * pairs and one to sums. 10 uops for 32 weights.
 * Neoverse N1, N2: 2 vector pipes: >= 5.0. V1, V2: 4 pipes: >= 2.5.
 *
 *   v0-11 accumulators   the others: int8_vnni4.flip.inc
 */
#define ORIGIN     "kneepoint"
#define CLAIMED    0.0
#define BYTES      32.0
#define WEIGHT_BYTES 32
#define GROUP_DOTS 2
#define LEAST      1
#define MOST       12
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/isa/dot.neon.inc"
#include "micro/formats/int8_vnni4/int8_vnni4.flip_aarch64.inc"

    sequence_functions
#else
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    for (uint32_t i = 0; i < VECTOR_BYTES; i++)
        ((int32_t *)sum)[i / 4] += (data->weights[dot * VECTOR_BYTES + i] - 128) * (int8_t)data->activations[i];
}
#endif
