/* SPDX-License-Identifier: BSD-3-Clause
 *
 * iq4_nl, sixteen blocks of one row as they are stored: block32_rows16.avx512_vnni.inc. Codes are looked up by vpshufb, 128 more than the
 * weights; four sums of a block are added in 32 bits, neighbours of two groups of blocks at once.
 * Of 16 blocks: 8 vpermw, 4 blends, 4 shifts, 8 ANDs, 8 vpshufb, 8 vpdpbusd, 6 unpacks, 4 additions, 5 of scales and sums.
 * Golden Cove at 512 bits: 55 on p05 (24 of them on p5 only): 27.5 cycles, 1.72 per output vector.
 *
 *   zmm0-11 accumulators   zmm30 codebook   the others: block32_rows16.avx512_vnni.inc
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
    .section .rodata
    .balign 16
.Lcodebook: .byte 1, 24, 45, 63, 79, 93, 106, 118, 129, 141, 153, 166, 181, 197, 217, 241

.macro load_look_up
    vbroadcasti32x4 zmm30, [rip + .Lcodebook]
.endm

.macro look_up codes
    vpshufb \codes, zmm30, \codes
.endm

#include "micro/families/block32/block32_rows16.add_lanes.inc"

#include "micro/families/block32/block32_rows16.avx512_vnni.inc"

    sequence_functions
#else
#include "micro/families/block32/block32_rows16_reference.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    rows16_refer(data, block32_nonlinear, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    rows16_fill(weights, activations, 128, seed);
}
#endif
