/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Exact look-ups of tiles of 64 rows added up as bytes, BASE * h + l, with nibble and sign one index of vpermb in tables of 32, plain loads
 * (lookup_digits.avx512_vbmi_vnni.inc), and summed in 32 bits: unpacked to the four bytes l, h, l', h' of 16 rows, vpdpbusd with 1, BASE, 1, BASE adds them
 * up. A tile: 4 + 7 shifts, 4 ANDs, 8 vpternlogd, 16 vpermb, and
 *
 *   tl2     (tl2/layout.h) 14 vpaddb; two tiles 8 vpunpck, 4 vpdpbusd: 118 uops for 96 output vectors. Two thirds of the bytes of tables of
 *           tl2.bytes.avx512_vbmi_vnni.S, which do not stay in the first-level cache.
 *           Golden Cove at 512 bits: 118 on p05, of which 40 are vpermb and vpunpck on p5: >= 0.61. Zen 4: 118 registers of two halves on four pipes: >= 0.61
 *   elut5   (micro/formats/elut5/layout.h) l within 31 lets 4 of a tile's 8 fit a byte, so that its two halves are l, h, l', h'. 12 vpaddb, 8 vpunpck, 4
 *           vpdpbusd: 63 uops for 32 output vectors. 63 on p05, of which 24 are vpermb and vpunpck on p5: >= 0.98. Zen 4: >= 0.98
 *
 *   zmm0-7 accumulators   the others: tl2.digits.avx512_vbmi_vnni.inc
 */
#ifdef PAIRS
#define BASE             63
#define HALF_TILES       1
#define BYTES            10.0
#define GROUP_VECTORS    32
#define WEIGHT_BYTES     320
#define ACTIVATION_BYTES 66
#else
#define BASE             29
#define BYTES            6.667
#define GROUP_VECTORS    96
#define WEIGHT_BYTES     640
#define ACTIVATION_BYTES 67
#endif
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define GROUP_DOTS       4
#define LEAST            4
#define MOST             8
#define ACTIVATION_FILL  FILL_OWN
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

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
#ifndef PAIRS
    vmovdqu64 zmm12, [\base + \offset + 320]
    vmovdqu64 zmm13, [\base + \offset + 384]
    vmovdqu64 zmm14, [\base + \offset + 448]
    vmovdqu64 zmm15, [\base + \offset + 512]
    vmovdqu64 zmm27, [\base + \offset + 576]
#endif
.endm

/* sums of 0 … 3, and of 4 … 7 where they are apart */
.macro tile low, high, low2, high2, signs, first, second, third, fourth
    look_up_triple 0, \low, \high, \signs, zmm28, zmm29, \first
    look_up_triple 4, \low2, \high2, \signs, zmm28, zmm29, \third
    look_up_triple 1, \low, \high, \signs, zmm28, zmm29, \first
    look_up_triple 5, \low2, \high2, \signs, zmm28, zmm29, \third
    look_up_triple 2, \low, \high, \signs, zmm28, zmm29, \second
    look_up_triple 6, \low2, \high2, \signs, zmm28, zmm29, \fourth
    look_up_triple 3, \low, \high, \signs, zmm28, zmm29, \second
    look_up_triple 7, \low2, \high2, \signs, zmm28, zmm29, \fourth
.endm

.macro group
#ifdef PAIRS
    tile zmm16, zmm17, zmm18, zmm19, zmm26, zmm8, zmm9, zmm10, zmm11
#else
    tile zmm16, zmm17, zmm16, zmm17, zmm26, zmm8, zmm9, zmm10, zmm11
    tile zmm18, zmm19, zmm18, zmm19, zmm27, zmm12, zmm13, zmm14, zmm15
#endif
    dot_digits
.endm

    sequence_functions

#else

#include "micro/families/lookup/lookup_table.h"

#ifdef PAIRS
#define VALUE elut5_value
enum { INDEX_WEIGHTS = 2 };
#else
#define VALUE tl2_value
enum { INDEX_WEIGHTS = 3 };
#endif

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    const int8_t *activations = (const int8_t *)data->activations + 64;
    int32_t *lanes = sum;
    for (uint32_t lane = 0; lane < 16; lane++) {
        for (uint32_t number = 0; number < WEIGHT_BYTES / 40; number++)
            lanes[lane] += lookup_tile_value(data->weights + 320 * (number / 8), 64, digits_row(lane, dot), number % 8, VALUE, activations);
    }
}

/* 32 entries of each table: the nibble in bits 3:0, the sign in bit 4 */
void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    (void)weights;
    int8_t *values = (int8_t *)activations + 64;
    reference_random_int8(values, INDEX_WEIGHTS, &seed);
    signed_lookup_tables(activations, VALUE, values, BASE);
}

#endif
