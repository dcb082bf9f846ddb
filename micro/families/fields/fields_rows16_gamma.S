/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sixteen blocks of one row of q1_0 or q2_0 as they are stored: fields_rows16.avx512_vnni.inc. Of four blocks 2 vpermw, a blend, and of q1_0 3 shifts, 8 ANDs,
 * 8 vpdpbusd, of q2_0 1, 4 and 4, and 4 for their sums; of sixteen 10 to join lanes and 5 for scales.
 * On two ports of Golden Cove at 512 bits, where 8 only clear sums, 0.93 and 1.23 cycles per output vector; on four of Zen 5 0.43 and 0.55.
 *
 *   zmm0-9 accumulators   the others: fields_rows16.avx512_vnni.inc
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define FIELDS_ARE_SHIFTED
#define GROUP_DOTS       1
#define GROUP_VECTORS    (64 / FIELD_BITS)
#define LEAST            1
#define MOST             10
#define WEIGHT_BYTES     288
#define OFFSET           (2048 / FIELD_BITS)
#define SCALE            (OFFSET + 64)
#define ACTIVATION_BYTES (OFFSET + 128) /* [group][field][quarter][16] int8; from OFFSET where sums begin, from SCALE the scale, by lane */
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/families/fields/fields_rows16.avx512_vnni.inc"

    sequence_functions
#else
#include "micro/families/fields/fields.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    fields_refer_rows16(data, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    fields_fill_rows16(weights, activations, seed);
}
#endif
