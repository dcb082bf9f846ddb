/* SPDX-License-Identifier: BSD-3-Clause
 *
 * int8: no up-convert. usdot takes the weights unsigned, u = w + 128, as x86's vpdpbusd does: 2 dot products for 32 weights.
 * Neoverse N2: usdot on both of 2 vector pipes: >= 1.0. V1, V2: 4 pipes: >= 0.5.
 *
 *   v0-11 accumulators   v16, v17 weights   v18 activations
 */
#define FORMAT        "int8_vnni4"
#define SEQUENCE      "dot"
#define ORIGIN        "envelope"
#define CLAIMED       0.0
#define BYTES         32.0
#define WEIGHT_BYTES  32
#define GROUP_DOTS    2
#define GROUP_UOPS    2
#define LEAST         1
#define MOST          12
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
.macro load_constants
    ldr q18, [x1]
.endm

.macro load_weights base, offset
    ldr q16, [\base, \offset]
    ldr q17, [\base, \offset + 16]
.endm

.macro dot_into number, source
    usdot v\number\().4s, \source\().16b, v18.16b
.endm

.macro group
    dot v16
    dot v17
.endm

    sequence_functions
#else
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    for (uint32_t i = 0; i < 16; i++)
        ((int32_t *)sum)[i / 4] += data->weights[dot * 16 + i] * (int8_t)data->activations[i];
}
#endif
