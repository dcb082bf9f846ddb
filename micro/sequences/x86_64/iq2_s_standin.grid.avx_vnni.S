/* SPDX-License-Identifier: BSD-3-Clause
 *
 * iq2_s_standin, a block of a row, as iq2_s_standin.grid.avx2, which says what is in which register; vpdpwssd applies the scales of groups and adds.
 * Of 32 weights one instruction less.
 */
#define FORMAT           "iq2_s_standin"
#define SEQUENCE         "grid"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            10.25
#define GROUP_DOTS       1
#define GROUP_UOPS       191
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             2
#define WEIGHT_BYTES     82
#define ACTIVATION_BYTES 320
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#define SCALE 256

#ifdef __ASSEMBLER__
#include "micro/sequences/x86_64/iq2_s_standin.grid.256.inc"

.macro add_scaled sum, words, scales
    {vex} vpdpwssd ymm\sum, ymm\words, ymm\scales
.endm

    sequence_functions
#else
#include "micro/sequences/iq2_s_standin.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    iq2_s_refer(data, 8, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    iq2_s_fill(weights, activations, seed);
}
#endif
