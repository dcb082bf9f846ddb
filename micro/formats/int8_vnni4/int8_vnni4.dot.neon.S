/* SPDX-License-Identifier: BSD-3-Clause
 *
 * int8: no up-convert, weights signed, without dot products: 16 products take two multiplications, an addition by pairs and one to sums. 8 uops
 * for 32 weights. What a GEMM multiplies with that has flipped the sign bits before.
 * Neoverse N1, N2: 2 vector pipes, multiplications on one of them: >= 4.0. V1, V2: 4 pipes: >= 2.0.
 *
 *   v0-11 accumulators   the others: int8_vnni4.dot.inc
 */
#define ORIGIN        "kneepoint"
#define CLAIMED       0.0
#define BYTES         32.0
#define WEIGHT_BYTES  32
#define GROUP_DOTS    2
#define LEAST         1
#define MOST          12
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/isa/dot.neon.inc"
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
