/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q4_0, sixteen blocks of one row as they are stored: block32_rows16.avx512_vnni.inc. Since a block leaves four sums of at most 15 * 127 * 8,
 * two rounds of packing to 16 bits and adding pairs leave a lane for each of the sixteen blocks; the last addition starts from -8 sum a.
 * Of 16 blocks: 8 vpermw, 4 blends, 4 shifts, 8 ANDs, 8 vpdpbusd, 3 packs, 3 vpmaddwd or vpdpwssd, 5 of scales and sums.
 * Golden Cove at 512 bits: 43 on p05 (13 of them on p5 only): 21.5 cycles, 1.34 per output vector.
 *
 *   zmm0-11 accumulators   zmm30 ones   the others: block32_rows16.avx512_vnni.inc
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            18.0
#define GROUP_DOTS       1
#define GROUP_VECTORS    16
#define LEAST            1
#define MOST             12
#define WEIGHT_BYTES     288
#define ACTIVATION_BYTES 640 /* [group][nibble][quarter][16] int8; from OFFSET minus the offset times their sum, from SCALE the scale, by lane */
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#define OFFSET 512
#define SCALE  576

#ifdef __ASSEMBLER__
.macro load_look_up
    mov eax, 0x10001
    vpbroadcastd zmm30, eax
.endm

.macro look_up codes
.endm

.macro add_lanes
    vpackssdw zmm12, zmm12, zmm13
    vpackssdw zmm14, zmm14, zmm15
    vpmaddwd zmm12, zmm12, zmm30
    vpmaddwd zmm14, zmm14, zmm30
    vpackssdw zmm12, zmm12, zmm14
    vmovdqu64 zmm13, [rsi + OFFSET]
    vpdpwssd zmm13, zmm12, zmm30
.endm

#include "micro/families/block32/block32_rows16.avx512_vnni.inc"

    sequence_functions
#else
#include "micro/families/block32/block32_rows16_reference.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    rows16_refer(data, block32_offset8, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    rows16_fill(weights, activations, 8, seed);
}
#endif
