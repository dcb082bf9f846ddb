/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit, masks, without VNNI: the upper two fields are shifted down once, because 192 * 127 * 2 leaves the 16 bits of
 * vpmaddubsw; the products of two registers are added as words. 30 uops for 256 weights.
 * Golden Cove: 30 uops on p015, 14 of them (vpmaddubsw, vpmaddwd, vpsrld) on p01: >= 1.25.
 *
 *   ymm0-7 accumulators   the others: int2_vnni4.mask.avx2.inc
 */
#define ORIGIN     "kneepoint"
#define CLAIMED    0.0
#define BYTES      8.0
#define GROUP_DOTS 4
#define GROUP_VECTORS 8
#define LEAST      4
#define MOST       8
#define WEIGHT_BYTES 64
#define ACTIVATION_BYTES 64
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

#include "micro/formats/int2_vnni4/int2_vnni4.mask.avx2.inc"

.macro load_constants
    vmovdqu ymm10, [rsi]
    vmovdqu ymm11, [rsi + 32]
.endm

    sequence_functions

#else

/* field `dot` of both registers, the odd ones in their place in the nibble */
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    const int8_t *activations = (const int8_t *)data->activations;
    int32_t *lanes = sum;
    for (uint32_t i = 0; i < 64; i++) {
        int32_t field = data->weights[i] >> 2 * dot & 3;
        lanes[i % 32 / 4] += (field << dot % 2 * 2) * activations[i];
    }
}

#endif
