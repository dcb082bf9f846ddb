/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Exact look-ups of lines of 64 rows added up as bytes, BASE * h + l, but summed in 32 bits. Nibbles are masked, so that tables are plain loads
 * (lookup_digits.avx512_vbmi_vnni.inc). Two groups of 8 look-ups are unpacked to the four bytes l, h, l', h' of 16 rows, and vpdpbusd adds them up. 8 shifts,
 * 16 ANDs, 32 vpermb, 28 vpaddb, 8 vpunpck, 4 vpdpbusd: 96 uops for 64 output vectors.
 *
 *   tl1     (tl1/layout.h) as in tl1.bytes.avx2.S, 23 h + l, with 1, 23, 1, 23
 *   tmac2   (tmac2/layout.h) bit by bit as in tmac2.bytes.avx2.S, 31 h + l, with one table for both bits, and 1, 31, 2, 62, the upper ones twice
 *
 * Golden Cove at 512 bits: 96 on p05, of which 40 are vpermb and vpunpck on p5: >= 0.75. Zen 4: 96 registers of two halves on four pipes: >= 0.75.
 *
 *   zmm0-7, of tmac2 zmm0-11 accumulators   zmm11, of tmac2 zmm15 mask 0x0f   the others: <format>.digits.avx512_vbmi_vnni.inc
 */
#ifdef BITS_APART
#define BASE             31
#define LOW_NIBBLES      zmm15
#define MOST             12
#define ACTIVATION_BYTES 36
#else
#define BASE             23
#define LOW_NIBBLES      zmm11
#define MOST             8
#define ACTIVATION_BYTES 68
#endif
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            8.0
#define GROUP_DOTS       4
#define GROUP_VECTORS    64
#define LEAST            4
#define WEIGHT_BYTES     512
#define ACTIVATION_FILL  FILL_OWN
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

#include "micro/of_self.h"
#include OF_FORMAT(SELF_FORMAT_WORD.digits.avx512_vbmi_vnni.inc)

#ifdef BITS_APART
#define TABLES zmm12, zmm13
#else
#define TABLES zmm12, zmm13, zmm14, zmm15
#endif

.macro load_constants
    digits_constants eax
    vmovdqu xmm12, [rsi]
    vmovdqu xmm13, [rsi + 16]
#ifndef BITS_APART
    vmovdqu xmm14, [rsi + 32]
    vmovdqu xmm15, [rsi + 48]
#endif
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
    look_up_line 0, zmm24, TABLES
    look_up_line 1, zmm25, TABLES
    look_up_line 2, zmm26, TABLES
    look_up_line 3, zmm27, TABLES
    look_up_line 4, zmm28, TABLES
    look_up_line 5, zmm29, TABLES
    look_up_line 6, zmm30, TABLES
    look_up_line 7, zmm31, TABLES
    dot_digits
.endm

    sequence_functions

#else

#include "micro/families/lookup/lookup_table.h"

#ifdef BITS_APART
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
#else
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    const int8_t *activations = (const int8_t *)data->activations + 64;
    int32_t *lanes = sum;
    for (uint32_t lane = 0; lane < 16; lane++) {
        for (uint32_t line = 0; line < 8; line++) {
            uint32_t byte = data->weights[64 * line + digits_row(lane, dot)];
            lanes[lane] += tl1_value(byte & 15, activations) + tl1_value(byte >> 4, activations + 2);
        }
    }
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    (void)weights;
    int8_t *values = (int8_t *)activations + 64;
    reference_random_int8(values, 4, &seed);
    for (uint32_t pair = 0; pair < 2; pair++)
        lookup_tables(activations + 32 * pair, activations + 32 * pair + 16, tl1_value, values + 2 * pair, 1, BASE);
}
#endif

#endif
