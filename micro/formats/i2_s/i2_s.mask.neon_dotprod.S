/* SPDX-License-Identifier: BSD-3-Clause
 *
 * I2_S: fields of weights 32 apart; three stay in their place in the byte, non-negative, and what they carry too much is shifted out at the
 * end of the row; the upper one is shifted down, which needs no mask. 3 ANDs, 1 shift and 4 times sdot for 64 weights. 8 uops.
 * Neoverse N1, N2: 2 vector pipes: >= 2.0. V1, V2: 4 pipes: >= 1.0.
 *
 *   v0-11 accumulators   v12 weights   v16-v19 activations of the fields   v20-v22 masks   v24-v27 fields
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            8.0
#define ACTIVATION_BYTES 64
#define GROUP_DOTS       4
#define LEAST            4
#define MOST             12
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/isa/pairs.neon_dotprod.inc"

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

/* source: a field, then its activations */
.macro dot_into number, source
    multiply_add \number, \source
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

    sequence_functions
#else
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    static const int32_t in_place[] = {1, 16, 4, 1};
    (void)magnitude;
    for (uint32_t byte = 0; byte < 16; byte++) {
        int32_t code = data->weights[byte] >> (6 - 2 * dot) & 3;
        ((int32_t *)sum)[byte / 4] += in_place[dot] * code * (int8_t)data->activations[16 * dot + byte];
    }
}
#endif
