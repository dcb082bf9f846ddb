/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q2_0, a row at a time as it is stored: fields_rows.256.inc. 1 shifts, 2 ANDs, 2 vpdpbusd; 1 shift, 1 addition and zero for the sums, 5 for scales.
 * Golden Cove: 13 uops on three ports, 2.17 cycles per output vector. 15 uops issued: 13 of arithmetic, 2 loads.
 *
 *   ymm0-3 accumulators   the others: fields_rows.256.inc
 */
#define FORMAT           "q2_0"
#define SEQUENCE         "rows"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            9.0
#define FIELD_BITS       2
#define FIELD_PARTS      1
#define GROUP_DOTS       1
#define GROUP_UOPS       15
#define GROUP_VECTORS    2
#define LEAST            1
#define MOST             4
#define WEIGHT_BYTES     18
#define ACTIVATION_BYTES 100 /* behind the activations where 8 sums begin, and the scale */
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/sequences/x86_64/fields_rows.256.inc"

    sequence_functions
#else
#include "micro/sequences/fields.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    fields_refer_row(data, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    fields_fill_row(weights, activations, seed);
}
#endif
