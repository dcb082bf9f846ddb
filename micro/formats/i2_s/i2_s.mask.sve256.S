/* SPDX-License-Identifier: BSD-3-Clause
 *
 * I2_S on 256 bits: a step of a row is a register, fields of weights 32 apart; three stay in their place in the byte, non-negative, and what
 * they carry too much is shifted out at the end of the row; the upper one is shifted down, which needs no mask. 3 ANDs, 1 shift and 4 sdot
 * for 128 weights. 8 uops.
 * Neoverse V1: 2 pipes of 256 bits: >= 1.0, as 4 of 128 take.
 *
 *   z0-11 accumulators   z12 weights   z16-z19 activations of the fields   z20-z22 masks   z24-z27 fields
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            8.0
#define ACTIVATION_BYTES 128
#define GROUP_DOTS       4
#define LEAST            4
#define MOST             12
#define VECTOR_IS_SVE256
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
.macro load_constants
    ldr z16, [x1]
    ldr z17, [x1, #1, mul vl]
    ldr z18, [x1, #2, mul vl]
    ldr z19, [x1, #3, mul vl]
    mov z20.b, #0x03
    mov z21.b, #0x0c
    mov z22.b, #0x30
.endm

.macro load_weights base, offset
    add x9, \base, \offset
    ldr z12, [x9]
.endm

/* source: a field, then its activations */
.macro dot_into number, source
    multiply_add \number, \source
.endm

.macro multiply_add number, weights, activations
    sdot z\number\().s, \weights\().b, \activations\().b
.endm

.macro group
    lsr z24.b, z12.b, #6
    and z25.d, z12.d, z22.d
    dot z24, z16
    and z26.d, z12.d, z21.d
    dot z25, z17
    and z27.d, z12.d, z20.d
    dot z26, z18
    dot z27, z19
.endm

    sequence_functions
#else
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    static const int32_t in_place[] = {1, 16, 4, 1};
    (void)magnitude;
    for (uint32_t byte = 0; byte < 32; byte++) {
        int32_t code = data->weights[byte] >> (6 - 2 * dot) & 3;
        ((int32_t *)sum)[byte / 4] += in_place[dot] * code * (int8_t)data->activations[32 * dot + byte];
    }
}
#endif
