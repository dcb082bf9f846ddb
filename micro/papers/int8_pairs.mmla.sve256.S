/* SPDX-License-Identifier: BSD-3-Clause
 *
 * int8, matrix products: a register is 4 rows of 8 weights, and meets 8 activations of 2 tokens. One smmla for 32 weights, if there
 * are two tokens; the cycles are counted per weight, not per product.
 * Neoverse V1: 2 smmla on 2 pipes of 256 bits: >= 0.5.
 *
 *   z0-11 accumulators: rows by pairs, in each (row, token)   z16, z17 weights   z18 activations
 */
#define ORIGIN           "arm-kernels-codebooks"
#define CLAIMED          0.0
#define BYTES            32.0
#define WEIGHT_BYTES     64
#define ACTIVATION_BYTES 16
#define GROUP_DOTS       2
#define LEAST            1
#define MOST             12
#define VECTOR_IS_SVE256
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
.macro load_constants
    ptrue p0.b
    ld1rqb {z18.b}, p0/z, [x1]
.endm

.macro load_weights base, offset
    add x9, \base, \offset
    ldr z16, [x9]
    ldr z17, [x9, #1, mul vl]
.endm

.macro dot_into number, source
    smmla z\number\().s, z\source\().b, z18.b
.endm

.macro group
    dot 16
    dot 17
.endm

    sequence_functions
#else
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    const int8_t *weights = (const int8_t *)data->weights + dot * VECTOR_BYTES, *activations = (const int8_t *)data->activations;
    for (uint32_t lane = 0; lane < VECTOR_BYTES / 4; lane++) {
        for (uint32_t k = 0; k < 8; k++)
            ((int32_t *)sum)[lane] += weights[lane / 2 * 8 + k] * activations[lane % 2 * 8 + k];
    }
}
#endif
