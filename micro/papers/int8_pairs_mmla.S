/* SPDX-License-Identifier: BSD-3-Clause
 *
 * int8, matrix products: a register is 2 rows of 8 weights, with SVE 4, and meets 8 activations of 2 tokens. One smmla for 16 or 32 weights does the work of
 * two sdot, if there are two tokens; the cycles are counted per weight, not per product.
 * Neoverse N2: smmla on both of 2 vector pipes: >= 1.0. V1, V2: >= 0.5 as far as all 4 pipes do it; V1 with SVE, 2 pipes of 256 bits: >= 0.5.
 *
 *   v0-11, z0-11 accumulators: rows by pairs, in each (row, token)   16, 17 weights   18 activations
 */
#define ORIGIN           "arm-kernels-codebooks"
#define CLAIMED          0.0
#define BYTES            32.0
#define WEIGHT_BYTES     (2 * VECTOR_BYTES)
#define ACTIVATION_BYTES 16
#define GROUP_DOTS       2
#define LEAST            1
#define MOST             12
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#ifdef VECTOR_IS_SVE256
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
#else
.macro load_constants
    ldr q18, [x1]
.endm

.macro load_weights base, offset
    ldr q16, [\base, \offset]
    ldr q17, [\base, \offset + 16]
.endm

.macro dot_into number, source
    smmla v\number\().4s, v\source\().16b, v18.16b
.endm
#endif

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
