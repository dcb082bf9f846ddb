/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocks of fields of one or two bits of interleaved rows (q1_0_m16, q2_0_m16), lanes are rows: 8 by fields_lanes.256.inc, or 16 by
 * fields_lanes.avx512_vnni.inc.
 *
 *     AVX512-VNNI   of 16 rows of q1_0 32 ANDs and 32 vpdpbusd; 7 shifts, 3 additions and 3 zeros for the sums, 5 for scales: 82 on p05 of Golden Cove at 512
 *                   bits, 0.64 cycles per output vector; Zen 5, four pipes, 0.32. Of q2_0 4 shifts of lines, 16 ANDs, 16 vpdpbusd: 48, 0.75 and 0.38.
 *     AVX-VNNI      of 8 rows of q1_0 12 shifts of lines, 32 ANDs, 32 vpdpbusd; to join the sums 1 shift, 1 addition, zero; to scale them 4 more: 84 on
 *                   three ports of Golden Cove, 0.88; Zen 5, four pipes, 0.66.
 *     AVX2          vpmaddubsw and vpaddw, joined by 2 vpmaddwd and 2 additions: of q1_0 115 on three ports, 1.20, Zen 5 0.90; of q2_0, whose lines take 4
 *                   shifts, 16 ANDs, 16 vpmaddubsw, 14 vpaddw, 59, 1.23 and 0.92.
 *
 *   zmm0-11 accumulators   the others: fields_lanes.avx512_vnni.inc
 *   ymm0-3 accumulators   ymm4-7 lines   xmm13 scales   the others: fields_lanes.256.inc
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define GROUP_DOTS       1
#define LEAST            1
#ifdef VECTOR_IS_ZMM
#define ROWS 16
#define MOST 12
#else
#define ROWS 8
#define MOST 4
#endif
#define GROUP_VECTORS    (4 * ROWS / FIELD_BITS)
#define WEIGHT_BYTES     (18 * ROWS)
#define ACTIVATION_BYTES (16 + 128 / FIELD_BITS)
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#ifdef VECTOR_IS_ZMM
#include "micro/families/fields/fields_lanes.avx512_vnni.inc"

.macro load_weights base, offset
    load_scales <\base>, <\offset>
    load_lines <\base>, <\offset + 32>
.endm

.macro group
    group_of rsi
.endm
#else
#include "micro/families/fields/fields_lanes.256.inc"

.macro load_weights base, offset
    vmovdqu xmm13, [\base + \offset]
    vmovdqu ymm4, [\base + \offset + 16]
    vmovdqu ymm5, [\base + \offset + 48]
    vmovdqu ymm6, [\base + \offset + 80]
    vmovdqu ymm7, [\base + \offset + 112]
.endm

.macro load_line number, weights
    .set line_at, 4 + \number
.endm

.macro group
    group_of rsi, xmm13
.endm
#endif

.macro load_constants
    load_constants_from eax
.endm

    sequence_functions
#else
#include "micro/families/fields/fields.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    fields_refer_lanes(data, ROWS, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    fields_fill_lanes(weights, activations, ROWS, seed);
}
#endif
