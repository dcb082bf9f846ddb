/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q2_k_m16, a quarter of a block of 8 rows whose lanes are rows: q2_k_m16.lanes.256.inc.
 * Golden Cove: 32 on p01, 4 on p15, 2 on p5, 20 anywhere: 58 on three ports, 1.21 cycles per output vector. Zen 5: 58 on four, 0.91;
 * the kernel is nearer to that than this sequence, since its halves share 27 of the loads.
 * 101 uops issued: 58 of arithmetic, 31 loads, 12 copies.
 *
 *   ymm0 accumulator   ymm1-4 codes   ymm5 bytes of groups   xmm6 d   the others: the .inc
 */
#define FORMAT           "q2_k_m16"
#define SEQUENCE         "lanes"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            10.5
#define GROUP_DOTS       1
#define GROUP_UOPS       101
#define GROUP_VECTORS    16
#define LEAST            1
#define MOST             1
#define WEIGHT_BYTES     168 /* a quarter of a block, and four halves for its d and dmin; one line of groups for two */
#define ACTIVATION_BYTES 320
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/sequences/x86_64/q2_k_m16.lanes.256.inc"

.macro load_constants
    load_constants_from eax
.endm

.macro load_weights base, offset
    vpbroadcastq xmm6, qword ptr [\base + \offset]
    vmovdqu ymm5, [\base + \offset + 8]
    vmovdqu ymm1, [\base + \offset + 40]
    vmovdqu ymm2, [\base + \offset + 72]
    vmovdqu ymm3, [\base + \offset + 104]
    vmovdqu ymm4, [\base + \offset + 136]
.endm

.macro copy_codes to, from
    vmovdqa ymm\to, ymm\from
.endm

.macro load_codes to, half, line
    copy_codes \to, %(1 + \line)
.endm

.macro load_groups to, half, high
    vmovdqa ymm\to, ymm5
.endm

.macro load_d to, half
    vcvtph2ps ymm\to, xmm6
.endm

.macro load_dmin to, half
    vcvtph2ps ymm\to, xmm6
.endm

.macro begin_sum to
    vmovdqa ymm\to, [rip + .Lzero]
.endm

.macro sum_of half
.endm

.macro fetch number
.endm

.macro group
    group_of 0, 0, rsi, <rsi + Q2_K_SUMS>, rsi
.endm

    sequence_functions
#else
#include "micro/sequences/q2_k_lanes.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    q2_k_lanes_refer(data, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    q2_k_lanes_fill(weights, activations, seed);
}
#endif
