/* SPDX-License-Identifier: BSD-3-Clause
 *
 * I2_S (layout: format.c), masks: each field of weights 32 apart stays in its place in the byte, and its
 * accumulator, shifted right once at the end of the row, undoes the power of two. 4 ANDs and 4 dot products for 128
 * weights.
 * Golden Cove: vpand p015, vpdpbusd p01: 8 uops on 3 ports: >= 0.667.
 *
 *   ymm0-7 accumulators   the others: i2_s.mask.avx_vnni.inc
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            8.0
#define GROUP_DOTS       4
#define LEAST            4
#define MOST             8
#define ACTIVATION_BYTES 128
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

#include "micro/formats/i2_s/i2_s.mask.avx_vnni.inc"

.macro load_constants
    load_activations rsi
.endm

    sequence_functions

#else

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    int32_t *lanes = sum;
    int32_t in_place = 64 >> 2 * dot; /* what its accumulator is shifted by in the end */
    for (uint32_t m = 0; m < 32; m++) {
        int32_t code = data->weights[m] >> (6 - 2 * dot) & 3;
        lanes[m / 4] += in_place * code * (int8_t)data->activations[32 * dot + m];
    }
}

#endif
