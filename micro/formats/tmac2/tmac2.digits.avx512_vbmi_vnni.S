/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit weights bit by bit (layout: tmac2.lookup.avx2.S, of 64 rows), exact look-ups added up as bytes as in
 * tmac2.bytes.avx2.S, 31 h + l, but summed in 32 bits and with one table for both bits. Nibbles are masked, so that tables are
 * plain loads (lookup_digits.avx512_vbmi_vnni.inc). After 8 look-ups of each they are unpacked to the four bytes l, h, l', h' of
 * 16 rows, and vpdpbusd with 1, 31, 2, 62 adds them up, the upper ones twice. 8 shifts, 16 ANDs, 32 vpermb, 28 vpaddb, 8 vpunpck,
 * 4 vpdpbusd: 96 uops for 64 output vectors.
 * Golden Cove at 512 bits: 96 on p05, of which 40 are vpermb and vpunpck on p5: >= 0.75. Zen 4: 96 registers of two halves on
 * four pipes: >= 0.75.
 *
 *   zmm0-11 accumulators   zmm15 mask 0x0f   the others: tmac2.digits.avx512_vbmi_vnni.inc
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            8.0
#define GROUP_DOTS       4
#define GROUP_VECTORS    64
#define LEAST            4
#define MOST             12
#define WEIGHT_BYTES     512
#define ACTIVATION_BYTES 36
#define ACTIVATION_FILL  FILL_OWN
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#define BASE        31
#define LOW_NIBBLES zmm15

#ifdef __ASSEMBLER__

#include "micro/formats/tmac2/tmac2.digits.avx512_vbmi_vnni.inc"

.macro load_constants
    digits_constants eax
    vmovdqu xmm12, [rsi]
    vmovdqu xmm13, [rsi + 16]
.endm

.macro load_weights base, offset
    vmovdqu64 zmm24, [\base + \offset]
    vmovdqu64 zmm25, [\base + \offset + 64]
    vmovdqu64 zmm26, [\base + \offset + 128]
    vmovdqu64 zmm27, [\base + \offset + 192]
    vmovdqu64 zmm28, [\base + \offset + 256]
    vmovdqu64 zmm29, [\base + \offset + 320]
    vmovdqu64 zmm30, [\base + \offset + 384]
    vmovdqu64 zmm31, [\base + \offset + 448]
.endm

.macro group
    look_up_line 0, zmm24, zmm12, zmm13
    look_up_line 1, zmm25, zmm12, zmm13
    look_up_line 2, zmm26, zmm12, zmm13
    look_up_line 3, zmm27, zmm12, zmm13
    look_up_line 4, zmm28, zmm12, zmm13
    look_up_line 5, zmm29, zmm12, zmm13
    look_up_line 6, zmm30, zmm12, zmm13
    look_up_line 7, zmm31, zmm12, zmm13
    dot_digits
.endm

    sequence_functions

#else

#include "micro/families/lookup/lookup_table.h"

/* 4 codes in each of 8 registers, each less three times half the activations' sum, rounded down */
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    const int8_t *activations = (const int8_t *)data->activations + 32;
    int32_t all = activations[0] + activations[1] + activations[2] + activations[3];
    int32_t *lanes = sum;
    for (uint32_t lane = 0; lane < 16; lane++) {
        for (uint32_t line = 0; line < 8; line++) {
            uint32_t byte = data->weights[64 * line + digits_row(lane, dot)];
            lanes[lane] -= 3 * (all >> 1);
            for (uint32_t i = 0; i < 4; i++)
                lanes[lane] += (int32_t)((byte >> i & 1) + 2 * (byte >> (4 + i) & 1)) * activations[i];
        }
    }
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    (void)weights;
    int8_t *values = (int8_t *)activations + 32;
    reference_random_int8(values, 4, &seed);
    lookup_tables(activations, activations + 16, tmac_half_value, values, 1, BASE);
}

#endif
