/* SPDX-License-Identifier: BSD-3-Clause
 *
 * I2_S: fields of weights 32 apart; three stay in their place in the byte, non-negative, and what they carry too much is shifted out at the end of the row;
 * the upper one is shifted down, which needs no mask. 3 ANDs, 1 shift and 4 products for 64 weights, with SVE, where a step of a row is a register, 128.
 *
 *   Neon      smull, smlal2 and sadalp: 16 uops. Neoverse N1, N2: 2 vector pipes: >= 4.0. V1, V2: 4 pipes: >= 2.0
 *   dotprod   sdot: 8. N1, N2: >= 2.0. V1, V2: >= 1.0
 *   SVE       sdot: 8. V1: 2 pipes of 256 bits: >= 1.0, as 4 of 128 take
 *
 *   v0-11, z0-11 accumulators   12 weights   16-19 activations of the fields   20-22 masks   24-27 fields
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            8.0
#define ACTIVATION_BYTES (4 * VECTOR_BYTES)
#define GROUP_DOTS       4
#define LEAST            4
#define MOST             12
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#ifdef VECTOR_IS_SVE256
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
#else
#include "micro/of_self.h"
#include OF_ISA(micro/isa/pairs)

.macro load_constants
    ldp q16, q17, [x1]
    ldp q18, q19, [x1, 32]
    movi v20.16b, 0x03
    movi v21.16b, 0x0c
    movi v22.16b, 0x30
.endm

.macro load_weights base, offset
    ldr q12, [\base, \offset]
.endm

.macro group
    ushr v24.16b, v12.16b, 6
    and v25.16b, v12.16b, v22.16b
    dot v24, v16
    and v26.16b, v12.16b, v21.16b
    dot v25, v17
    and v27.16b, v12.16b, v20.16b
    dot v26, v18
    dot v27, v19
.endm
#endif

/* source: a field, then its activations */
.macro dot_into number, source
    multiply_add \number, \source
.endm

    sequence_functions
#else
/* a lane has four columns, or as products by pairs have them two and two */
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    static const int32_t in_place[] = {1, 16, 4, 1};
    (void)magnitude;
    for (uint32_t byte = 0; byte < VECTOR_BYTES; byte++) {
        int32_t code = data->weights[byte] >> (6 - 2 * dot) & 3;
#ifdef PRODUCTS_BY_PAIRS
        uint32_t lane = byte / 2 % 4;
#else
        uint32_t lane = byte / 4;
#endif
        ((int32_t *)sum)[lane] += in_place[dot] * code * (int8_t)data->activations[VECTOR_BYTES * dot + byte];
    }
}
#endif
