/* SPDX-License-Identifier: BSD-3-Clause
 *
 * int8: no up-convert (dot), or stored unsigned, u = w + 128, where no instruction takes unsigned weights: the sign bit is flipped (flip). 2 dot products for
 * two registers, without them 4 uops each: 16 products take two multiplications, an addition by pairs and one to sums.
 *
 *                      uops   per output vector
 *   dot   Neon         8      signed; what a GEMM multiplies with that has flipped the sign bits before. Neoverse N1, N2: 2 vector pipes, multiplications on
 *                             one of them: >= 4.0. V1, V2: 4 pipes: >= 2.0
 *         dotprod      2      sdot takes both sides signed, so the weights are stored as they are. N1, N2: sdot on both pipes, 4 products a lane: >= 1.0.
 *                             V1, V2: >= 0.5. Latency of the accumulation 1 (forwarded)
 *         I8MM         2      usdot takes the weights unsigned, as x86's vpdpbusd does. N2: >= 1.0. V1, V2: >= 0.5
 *         SVE          2      the same on 256 bits. V1: 2 pipes: >= 0.5
 *   flip  Neon         10     N1, N2: >= 5.0. V1, V2: >= 2.5
 *         dotprod      4      2 XORs and 2 dot products, twice the uops of usdot. N1: >= 2.0. V1, V2: >= 1.0
 *
 *   v0-11, z0-11 accumulators   the others: int8_vnni4_aarch64.inc
 */
#include "micro/of_self.h"

#define ORIGIN       OF_SELF_PATH(PAPER)
#define BYTES        32.0
#define WEIGHT_BYTES (2 * VECTOR_BYTES)
#define GROUP_DOTS   2
#define LEAST        1
#define MOST         12
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include OF_ISA(micro/isa/dot)
#include "micro/formats/int8_vnni4/int8_vnni4_aarch64.inc"

.macro load_constants
    step_constants
    load_vector 18, x1, 0
.endm

    sequence_functions
#else
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    for (uint32_t i = 0; i < VECTOR_BYTES; i++) {
        uint8_t byte = data->weights[dot * VECTOR_BYTES + i];
#if defined WEIGHTS_ARE_SIGNED
        int32_t weight = (int8_t)byte;
#elif defined SIGNS_ARE_FLIPPED
        int32_t weight = byte - 128;
#else
        int32_t weight = byte;
#endif
        ((int32_t *)sum)[i / 4] += weight * (int8_t)data->activations[i];
    }
}
#endif
