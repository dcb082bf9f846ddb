/* SPDX-License-Identifier: BSD-3-Clause
 *
 * I2_S (layout: format.c), masks, two blocks of 128 weights side by side: each field of weights 32 apart stays
 * in its place in the byte, and its accumulator, shifted right once at the end of the row, undoes the power of two. 4
 * ANDs and 4 dot products for 256 weights.
 * Golden Cove at 512 bits: 8 uops on p05 for 8 output vectors: >= 0.5.
 *
 *   zmm0-11 accumulators   zmm20-23 masks   zmm24-27 activations of the four fields   zmm28-30 temporaries
 *   zmm31 weights
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            8.0
#define GROUP_DOTS       4
#define LEAST            4
#define MOST             12
#define ACTIVATION_BYTES 256
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

/* activations in the order of the weights: each block of 128 has 32 of each field */
.macro load_field register, field
    vmovdqu64 ymm28, [rsi + 32 * \field]
    vinserti64x4 \register, zmm28, [rsi + 128 + 32 * \field], 1
.endm

.macro load_constants
    load_field zmm24, 0
    load_field zmm25, 1
    load_field zmm26, 2
    load_field zmm27, 3
    mov eax, 0x03030303
    vpbroadcastd zmm23, eax
    vpslld zmm22, zmm23, 2
    vpslld zmm21, zmm23, 4
    vpslld zmm20, zmm23, 6
.endm

.macro load_weights base, offset
    vmovdqu64 zmm31, [\base + \offset]
.endm

/* source: a field in its place, then the activations of that field */
.macro dot_into number, source
    vpdpbusd zmm\number, \source
.endm

.macro group
    vpandd zmm28, zmm31, zmm20
    dot zmm28, zmm24
    vpandd zmm29, zmm31, zmm21
    dot zmm29, zmm25
    vpandd zmm30, zmm31, zmm22
    dot zmm30, zmm26
    vpandd zmm28, zmm31, zmm23
    dot zmm28, zmm27
.endm

    sequence_functions

#else

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    int32_t *lanes = sum;
    int32_t in_place = 64 >> 2 * dot; /* what its accumulator is shifted by in the end */
    for (uint32_t byte = 0; byte < 64; byte++) {
        int32_t code = data->weights[byte] >> (6 - 2 * dot) & 3;
        lanes[byte / 4] += in_place * code * (int8_t)data->activations[byte / 32 * 128 + 32 * dot + byte % 32];
    }
}

#endif
