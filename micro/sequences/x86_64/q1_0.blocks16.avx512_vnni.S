/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q1_0, sixteen blocks of one row as they are stored: fields_rows16.avx512_vnni.inc. Of four blocks 2 vpermw, a blend, 3 shifts, 8 ANDs, 8 vpdpbusd, and 4 for their
 * sums; of sixteen 10 to join lanes and 5 for scales.
 * 119 uops: on two ports of Golden Cove at 512 bits, of which 8 only clear sums, 0.93 cycles per output vector; on four of Zen 5 0.43.
 *
 *   zmm0-9 accumulators   the others: fields_rows16.avx512_vnni.inc
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            4.5
#define FIELD_BITS       1
#define FIELDS_ARE_SHIFTED
#define GROUP_DOTS       1
#define GROUP_UOPS       119
#define GROUP_VECTORS    64
#define LEAST            1
#define MOST             10
#define WEIGHT_BYTES     288
#define ACTIVATION_BYTES 2176 /* [group][field][quarter][16] int8; from OFFSET where sums begin, from SCALE the scale, by lane */
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#define OFFSET 2048
#define SCALE  2112

#ifdef __ASSEMBLER__
#include "micro/sequences/x86_64/fields_rows16.avx512_vnni.inc"

    sequence_functions
#else
#include "micro/sequences/fields.h"

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
