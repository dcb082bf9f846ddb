/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit in the order of [envelope, III-D, Fig. 2], masks as weights: the blend of int1_vnni4.envelope is left out, since a mask is -1.
 * mvn, 8 x (tbl, cmtst, sdot) for 128 weights: 25 uops.
 * Neoverse N1, N2: 2 vector pipes: >= 3.13. V1: tbl on 2 of 4 pipes: >= 1.56.
 *
 *   v0-11 accumulators   the others: int1_vnni4.mask_aarch64.inc
 */
#define ORIGIN     "kneepoint"
#define CLAIMED    0.0
#define BYTES      4.0
#define GROUP_DOTS 8
#define LEAST      8
#define MOST       12
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/isa/dot.neon_dotprod.inc"
#include "micro/formats/int1_vnni4/int1_vnni4.mask_aarch64.inc"

    sequence_functions
#else
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    for (uint32_t i = 0; i < 16; i++) {
        uint32_t bit = dot * 16 + i;
        int32_t w = (data->weights[bit / 8] >> bit % 8 & 1) - 1;
        ((int32_t *)sum)[i / 4] += w * (int8_t)data->activations[i];
    }
}
#endif
