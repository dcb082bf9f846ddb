/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ELUT(5, 2), mirrored (layout: micro/formats/elut5/layout.h), exact look-ups added up as bytes as in elut5.bytes.avx2.S, 63 h + l, with nibble
 * and sign one index of vpermb as in tl2.digits.avx512_vbmi_vnni.S. l within 31 lets 4 of a tile's 8 fit a byte, so that its two halves are
 * the four bytes l, h, l', h' of 16 rows, and vpdpbusd with 1, 63, 1, 63 adds them up. A tile: 4 + 7 shifts, 4 ANDs,
 * 8 vpternlogd, 16 vpermb, 12 vpaddb, 8 vpunpck, 4 vpdpbusd: 63 uops for 32 output vectors.
 * Golden Cove at 512 bits: 63 on p05, of which 24 are vpermb and vpunpck on p5: >= 0.98. Zen 4: 63 registers of two halves
 * on four pipes: >= 0.98.
 *
 *   zmm0-7 accumulators   the others: tl2.digits.avx512_vbmi_vnni.inc
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            10.0
#define GROUP_DOTS       4
#define GROUP_VECTORS    32
#define LEAST            4
#define MOST             8
#define WEIGHT_BYTES     320
#define ACTIVATION_BYTES 66
#define ACTIVATION_FILL  FILL_OWN
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#define BASE       63
#define HALF_TILES 1

#ifdef __ASSEMBLER__

#include "micro/formats/tl2/tl2.digits.avx512_vbmi_vnni.inc"

.macro load_constants
    step_constants eax
    vmovdqu64 ymm28, [rsi]
    vmovdqu64 ymm29, [rsi + 32]
.endm

.macro load_weights base, offset
    vmovdqu64 zmm8, [\base + \offset]
    vmovdqu64 zmm9, [\base + \offset + 64]
    vmovdqu64 zmm10, [\base + \offset + 128]
    vmovdqu64 zmm11, [\base + \offset + 192]
    vmovdqu64 zmm26, [\base + \offset + 256]
.endm

.macro group
    look_up_triple 0, zmm16, zmm17, zmm26, zmm28, zmm29, zmm8
    look_up_triple 4, zmm18, zmm19, zmm26, zmm28, zmm29, zmm10
    look_up_triple 1, zmm16, zmm17, zmm26, zmm28, zmm29, zmm8
    look_up_triple 5, zmm18, zmm19, zmm26, zmm28, zmm29, zmm10
    look_up_triple 2, zmm16, zmm17, zmm26, zmm28, zmm29, zmm9
    look_up_triple 6, zmm18, zmm19, zmm26, zmm28, zmm29, zmm11
    look_up_triple 3, zmm16, zmm17, zmm26, zmm28, zmm29, zmm9
    look_up_triple 7, zmm18, zmm19, zmm26, zmm28, zmm29, zmm11
    dot_digits
.endm

    sequence_functions

#else

#include "micro/families/lookup/lookup_table.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    const int8_t *activations = (const int8_t *)data->activations + 64;
    int32_t *lanes = sum;
    for (uint32_t lane = 0; lane < 16; lane++) {
        for (uint32_t pair = 0; pair < 8; pair++)
            lanes[lane] += lookup_tile_value(data->weights, 64, digits_row(lane, dot), pair, elut5_value, activations);
    }
}

/* 32 entries of each table: the nibble in bits 3:0, the sign in bit 4 */
void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    (void)weights;
    int8_t *values = (int8_t *)activations + 64;
    reference_random_int8(values, 2, &seed);
    signed_lookup_tables(activations, elut5_value, values, BASE);
}

#endif
