/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocks of 32 columns of interleaved rows, lanes are rows: 8 by block32_lanes.avx2.inc or block32_lanes.avx_vnni.inc, 16 by block32_lanes.avx512_vnni.inc.
 * Codes are OFFSET more than weights, multiplied as they are (q4_0_m16, q8_0_m16) or looked up (iq4_nl_m16; mxfp4_m16, twice the values, which differs
 * in the scales, bytes of exponents). Zen 5 at 512 bits multiplies on two of four pipes.
 *
 *                 of a line                                     of its rows     issued: of arithmetic, loads   Golden Cove, per output vector
 *   AVX512-VNNI   (p05)
 *     q4_0_m16    2 ANDs, 2 vpdpbusd                            7                25: 23, 2                     1 on p5: 0.72; Zen 5 0.36
 *     q8_0_m16    vpdpbusd                                      5                14: 13, 1                     1 on p5: 0.41; 6 blocks must overlap
 *     iq4_nl_m16  shift, 2 ANDs, 2 vpshufb, 2 vpdpbusd          5                34: 33, 1                     9 on p5: 1.03
 *       VBMI      shift, 2 vpermb, 2 vpdpbusd                   5                26: 25, 1                     9 on p5: 0.78
 *     mxfp4_m16   as iq4_nl_m16                                                  36
 *   AVX-VNNI      (p01, p15, p5, anywhere)
 *     q4_0_m16    2 ANDs, 2 vpdpbusd                            7                34: 23, 11                    14, 0, 1, 8: 0.96
 *     q8_0_m16    vpdpbusd                                      5                23: 13, 10                    12, 0, 1, 0: 0.75; 7 blocks must overlap
 *     iq4_nl_m16  shift, 2 ANDs, 2 vpshufb, 2 vpdpbusd          5                43: 33, 10                    16, 8, 1, 8: 1.38
 *     mxfp4_m16   as iq4_nl_m16                                                  49
 *   AVX2          (the same)
 *     q4_0_m16    shift, 2 ANDs, 2 vpmaddubsw, 2 vpaddw         7                44: 34, 10                    17, 0, 1, 16: 1.42; Zen 3 1.06
 *     q8_0_m16    vpxor, vpabsb, vpsignb, vpmaddubsw (at most   4                61: 52, 9                     20, 16, 1, 15: 2.17; Zen 3 1.63
 *                 2 x 128 x 127), vpmaddwd, vpaddd
 *     iq4_nl_m16  shift, twice AND, vpshufb, vpsignb,           4                73: 56, 17                    24, 16, 1, 15: 2.33; Zen 3 1.75
 *                 vpmaddubsw, vpmaddwd, vpaddd
 *     mxfp4_m16   as iq4_nl_m16                                                  79
 *
 * The 7 are a shift, an addition, 2 conversions (3 uops), scales, multiply-add. A chain of 8 vpdpbusd takes 40 cycles. AVX2: bytes are made signed again, and
 * the activations take their signs; looked-up values take the signs of their activations, whose magnitudes are known before the first row.
 *
 *   zmm0-11 accumulators   the others: block32_lanes.avx512_vnni.inc, block32_lookup.inc
 *   ymm0-3 accumulators   ymm4-7 weights   xmm14 scales   of bytes ymm4-7, ymm12-15 weights   xmm9 scales   of AVX2 ymm0-2 accumulators   xmm3 scales
 *   the others: block32_lanes.avx_vnni.inc, block32_lanes.avx2.inc, block32_lookup.inc
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
#if defined CODES_ARE_BYTES && OFFSET == 0
#define MOST 3
#else
#define MOST 4
#endif
#endif
#if defined CODES_ARE_BYTES
#define BYTES        34.0
#define WEIGHT_BYTES (34 * ROWS)
#elif defined SCALES_ARE_BYTES
#define BYTES        17.0
#define WEIGHT_BYTES (17 * ROWS)
#else
#define BYTES        18.0
#define WEIGHT_BYTES (18 * ROWS)
#endif
#define GROUP_VECTORS    ROWS
#define ACTIVATION_BYTES 80
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#ifdef VECTOR_IS_ZMM
#include "micro/families/block32/block32_lanes.avx512_vnni.inc"

.macro group
    group_of rsi
.endm
#else
#include "micro/of_self.h"
#include OF_ISA(micro/families/block32/block32_lanes)

#if !defined CODES_ARE_BYTES
#define SCALES xmm14
#elif OFFSET
#define SCALES xmm9
#else
#define SCALES xmm3
#endif

/* ymm4-7, then ymm12-15 */
.macro load_line number, weights
    .set line_at, 4 + \number + \number / 4 * 4
.endm

.macro load_whole_line number, base, offset
    load_line \number
    load_register %(line_at), <\base>, <\offset + 32 * \number>
.endm

.macro load_register register, base, offset
    vmovdqu ymm\register, [\base + \offset]
.endm

.macro load_weights base, offset
#ifdef SCALES_ARE_BYTES
    vmovq SCALES, qword ptr [\base + \offset]
#else
    vmovdqu SCALES, [\base + \offset]
#endif
    .set line_number, 0
    .rept LINES
    load_whole_line %(line_number), <\base>, <\offset + WEIGHT_BYTES - 32 * LINES>
    .set line_number, line_number + 1
    .endr
.endm

.macro group
    group_of rsi, SCALES
.endm
#endif
#ifdef CODES_ARE_INDICES
#include "micro/families/block32/block32_lookup.inc"
#endif

.macro load_constants
#ifndef CODES_ARE_BYTES
    load_constants_from eax
#endif
.endm

    sequence_functions
#else
#ifdef SCALES_ARE_BYTES
#include "micro/of_self.h"
#include OF_FORMAT(lanes.h)
#else
#include "micro/families/block32/block32.h"
#endif

#ifdef CODES_ARE_BYTES
#define ORDER BLOCK32_BYTES
#else
#define ORDER BLOCK32_INTERLEAVED
#endif
#ifdef CODES_ARE_INDICES
#define VALUES block32_nonlinear
#else
#define VALUES block32_offset8
#endif
#ifdef CODES_ARE_SPLIT
#define SPLIT true
#else
#define SPLIT false
#endif

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
#ifdef SCALES_ARE_BYTES
    (void)dot;
    mxfp4_refer_lanes(data, ROWS, sum, magnitudes);
#else
    block32_refer(data, ORDER, ROWS, dot, VALUES, sum, magnitudes);
#endif
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
#ifdef SCALES_ARE_BYTES
    mxfp4_fill_lanes(weights, activations, ROWS, OFFSET, seed);
#else
    block32_fill(weights, activations, ORDER, ROWS, seed);
    block32_fill_starts(activations, OFFSET, SPLIT);
#endif
}
#endif
