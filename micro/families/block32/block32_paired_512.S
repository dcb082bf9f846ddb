/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocks of 32 codes of 4 bits, two rows a byte, which meet the same activations, see block32_paired_256.S; 32 rows, and the four activations are broadcast by
 * vpdpbusd itself. Of each 128 weights
 *
 *   q4_0     offset by 8: 1 AND, 2 vpdpbusd; a block: 12 more. 38 uops issued: 36 of arithmetic, 2 loads.
 *            Golden Cove at 512 bits: 36 on p05 (3 of them on p5 only): 18 cycles, 0.56 per output vector. The two chains of 8 vpdpbusd take 40 cycles, so
 *            three blocks must overlap
 *   iq4_nl   codebook offset by 128: 1 shift, 2 ANDs, 2 vpshufb, 2 vpdpbusd; a block: 11 more. 69 issued: 67 of arithmetic, 2 loads.
 *            67 on p05 (8 shifts on p0; 16 vpshufb and 3 more on p5): 33.5 cycles, 1.05
 *     VBMI   vpermb reads six bits of its index and ignores two: with the codebook four times in its 64 bytes, only four bits count and no mask is needed,
 *            neither for the byte as it is nor for the byte shifted by 4 (in double words: what comes in from above is not looked at).
 *            1 shift, 2 vpermb, 2 vpdpbusd; a block: 11 more. 53 issued: 51 of arithmetic, 2 loads. 51 on p05 (8 shifts on p0; 16 vpermb and 3 more on
 *            p5): 25.5 cycles, 0.80
 *
 *   zmm0-11 accumulators   zmm16-23 weights   zmm24 scales   zmm25, zmm26 sums of the rows 0-15 and 16-31, of q4_0 L, L + 16 H   zmm27 codes, values
 *   zmm28 scales   zmm30 codebook   zmm31 mask 0x0f
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            18.0
#define GROUP_DOTS       2
#define GROUP_VECTORS    32
#define LEAST            2
#define MOST             12
#define WEIGHT_BYTES     576
#ifdef CODES_ARE_INDICES
#define ACTIVATION_BYTES 68 /* -128 sum a */
#else
#define ACTIVATION_BYTES 76 /* -8 sum a, -136 sum a, a sixteenth of the scale */
#endif
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#ifdef CODES_ARE_INDICES
    .section .rodata
    .balign 16
.Lcodebook: .byte 1, 24, 45, 63, 79, 93, 106, 118, 129, 141, 153, 166, 181, 197, 217, 241
#endif

.macro load_constants
#ifndef LOOKED_UP_BY_VPERMB
    mov eax, 0x0f0f0f0f
    vpbroadcastd zmm31, eax
#endif
#ifdef CODES_ARE_INDICES
    vbroadcasti32x4 zmm30, [rip + .Lcodebook]
#endif
.endm

.macro load_weights base, offset
    vmovdqu32 zmm24, [\base + \offset]
    vmovdqu32 zmm16, [\base + \offset + 64]
    vmovdqu32 zmm17, [\base + \offset + 128]
    vmovdqu32 zmm18, [\base + \offset + 192]
    vmovdqu32 zmm19, [\base + \offset + 256]
    vmovdqu32 zmm20, [\base + \offset + 320]
    vmovdqu32 zmm21, [\base + \offset + 384]
    vmovdqu32 zmm22, [\base + \offset + 448]
    vmovdqu32 zmm23, [\base + \offset + 512]
.endm

.macro dot_into number, source
    vfmadd231ps zmm\number, zmm28, \source
.endm

.macro look_up codes
#ifdef LOOKED_UP_BY_VPERMB
    vpermb zmm27, \codes, zmm30
#else
    vpandd zmm27, \codes, zmm31
    vpshufb zmm27, zmm30, zmm27
#endif
.endm

.macro quad weights, k
#ifdef CODES_ARE_INDICES
    look_up zmm\weights
    vpdpbusd zmm25, zmm27, dword ptr [rsi + \k]{1to16}
    vpsrld zmm27, zmm\weights, 4
    look_up zmm27
    vpdpbusd zmm26, zmm27, dword ptr [rsi + \k]{1to16}
#else
    vpandd zmm27, zmm\weights, zmm31
    vpdpbusd zmm25, zmm27, dword ptr [rsi + \k]{1to16}
    vpdpbusd zmm26, zmm\weights, dword ptr [rsi + \k]{1to16}
#endif
.endm

#ifdef CODES_ARE_INDICES
#define START_HIGH 64
#define SCALE_HIGH 36
#else
#define START_HIGH 68
#define SCALE_HIGH 72
#endif

.macro group
    vpbroadcastd zmm25, [rsi + 64]
    vpbroadcastd zmm26, [rsi + START_HIGH]
    quad 16, 0
    quad 17, 4
    quad 18, 8
    quad 19, 12
    quad 20, 16
    quad 21, 20
    quad 22, 24
    quad 23, 28
#ifndef CODES_ARE_INDICES
    vpsubd zmm26, zmm26, zmm25
#endif
    vcvtdq2ps zmm25, zmm25
    vcvtdq2ps zmm26, zmm26
    vcvtph2ps zmm28, ymm24
    vmulps zmm28, zmm28, dword ptr [rsi + 36]{1to16}
    dot zmm25
    vextracti64x4 ymm28, zmm24, 1
    vcvtph2ps zmm28, ymm28
    vmulps zmm28, zmm28, dword ptr [rsi + SCALE_HIGH]{1to16}
    dot zmm26
.endm

    sequence_functions
#else
#include "micro/families/block32/block32.h"

#ifdef CODES_ARE_INDICES
#define VALUES block32_nonlinear
#else
#define VALUES block32_offset8
#endif

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    block32_refer(data, BLOCK32_PAIRED, 16, dot, VALUES, sum, magnitude);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    int32_t total = block32_fill(weights, activations, BLOCK32_PAIRED, 16, seed);
#ifdef CODES_ARE_INDICES
    blocks_put_int32(activations + BLOCK32_OWN, -128 * total, 1);
#else
    blocks_put_int32(activations + BLOCK32_OWN, -8 * total, 1);
    blocks_put_int32(activations + BLOCK32_OWN + 4, -136 * total, 1);
    blocks_put_float(activations + BLOCK32_OWN + 8, blocks_float(activations + BLOCK32_FLOAT) / 16, 1);
#endif
}
#endif
