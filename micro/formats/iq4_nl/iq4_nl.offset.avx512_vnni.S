/* SPDX-License-Identifier: BSD-3-Clause
 *
 * iq4_nl, two rows a byte, codebook offset by 128, see iq4_nl.offset.avx_vnni; 32 rows.
 * Per 128 weights: 1 shift, 2 ANDs, 2 vpshufb, 2 vpdpbusd; a block of 32 rows: 11 more. 67 uops of arithmetic for
 * 1024 weights.
 * Golden Cove at 512 bits: 67 on p05 (8 shifts on p0; 16 vpshufb and 3 more on p5): 33.5 cycles, 1.05 per output
 * vector. 69 uops issued: 67 of arithmetic, 2 loads.
 *
 *   zmm0-11 accumulators   zmm16-23 weights   zmm24 scales   zmm25, zmm26 sums of the rows 0-15 and 16-31
 *   zmm27 values   zmm28 scales   zmm30 codebook   zmm31 mask 0x0f
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            18.0
#define GROUP_DOTS       2
#define GROUP_VECTORS    32
#define LEAST            2
#define MOST             12
#define WEIGHT_BYTES     576
#define ACTIVATION_BYTES 68 /* -128 sum a */
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
    .section .rodata
    .balign 16
.Lcodebook: .byte 1, 24, 45, 63, 79, 93, 106, 118, 129, 141, 153, 166, 181, 197, 217, 241

.macro load_constants
    mov eax, 0x0f0f0f0f
    vpbroadcastd zmm31, eax
    vbroadcasti32x4 zmm30, [rip + .Lcodebook]
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

.macro quad weights, k
    vpandd zmm27, zmm\weights, zmm31
    vpshufb zmm27, zmm30, zmm27
    vpdpbusd zmm25, zmm27, dword ptr [rsi + \k]{1to16}
    vpsrld zmm27, zmm\weights, 4
    vpandd zmm27, zmm27, zmm31
    vpshufb zmm27, zmm30, zmm27
    vpdpbusd zmm26, zmm27, dword ptr [rsi + \k]{1to16}
.endm

.macro group
    vpbroadcastd zmm25, [rsi + 64]
    vpbroadcastd zmm26, [rsi + 64]
    quad 16, 0
    quad 17, 4
    quad 18, 8
    quad 19, 12
    quad 20, 16
    quad 21, 20
    quad 22, 24
    quad 23, 28
    vcvtdq2ps zmm25, zmm25
    vcvtdq2ps zmm26, zmm26
    vcvtph2ps zmm28, ymm24
    vmulps zmm28, zmm28, dword ptr [rsi + 36]{1to16}
    dot zmm25
    vextracti64x4 ymm28, zmm24, 1
    vcvtph2ps zmm28, ymm28
    vmulps zmm28, zmm28, dword ptr [rsi + 36]{1to16}
    dot zmm26
.endm

    sequence_functions
#else
#include "micro/families/block32/block32.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    block32_refer(data, BLOCK32_PAIRED, 16, dot, block32_nonlinear, sum, magnitude);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    int32_t total = block32_fill(weights, activations, BLOCK32_PAIRED, 16, seed);
    blocks_put_int32(activations + BLOCK32_OWN, -128 * total, 1);
}
#endif
