/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q4_0 as it is stored, offset by 8, two rows a byte, see q4_0.offset.avx_vnni; 32 rows, and the four activations are
 * broadcast by vpdpbusd itself.
 * Per 128 weights: 1 AND, 2 vpdpbusd; a block of 32 rows: 12 more. 36 uops of arithmetic for 1024 weights, scales
 * included.
 * Golden Cove at 512 bits: 36 on p05 (3 of them on p5 only): 18 cycles, 0.56 per output vector. The two chains of 8
 * vpdpbusd take 40 cycles, so three blocks must overlap. 38 uops issued: 36 of arithmetic, 2 loads.
 *
 *   zmm0-11 accumulators   zmm16-23 weights   zmm24 scales   zmm25, zmm26 sums L, L + 16 H   zmm27 codes   zmm28 scales
 *   zmm31 mask 0x0f
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            18.0
#define GROUP_DOTS       2
#define GROUP_VECTORS    32
#define LEAST            2
#define MOST             12
#define WEIGHT_BYTES     576
#define ACTIVATION_BYTES 76 /* -8 sum a, -136 sum a, a sixteenth of the scale */
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
.macro load_constants
    mov eax, 0x0f0f0f0f
    vpbroadcastd zmm31, eax
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
    vpdpbusd zmm25, zmm27, dword ptr [rsi + \k]{1to16}
    vpdpbusd zmm26, zmm\weights, dword ptr [rsi + \k]{1to16}
.endm

.macro group
    vpbroadcastd zmm25, [rsi + 64]
    vpbroadcastd zmm26, [rsi + 68]
    quad 16, 0
    quad 17, 4
    quad 18, 8
    quad 19, 12
    quad 20, 16
    quad 21, 20
    quad 22, 24
    quad 23, 28
    vpsubd zmm26, zmm26, zmm25
    vcvtdq2ps zmm25, zmm25
    vcvtdq2ps zmm26, zmm26
    vcvtph2ps zmm28, ymm24
    vmulps zmm28, zmm28, dword ptr [rsi + 36]{1to16}
    dot zmm25
    vextracti64x4 ymm28, zmm24, 1
    vcvtph2ps zmm28, ymm28
    vmulps zmm28, zmm28, dword ptr [rsi + 72]{1to16}
    dot zmm26
.endm

    sequence_functions
#else
#include "micro/families/block32/block32.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    block32_refer(data, BLOCK32_PAIRED, 16, dot, block32_offset8, sum, magnitude);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    int32_t total = block32_fill(weights, activations, BLOCK32_PAIRED, 16, seed);
    blocks_put_int32(activations + BLOCK32_OWN, -8 * total, 1);
    blocks_put_int32(activations + BLOCK32_OWN + 4, -136 * total, 1);
    blocks_put_float(activations + BLOCK32_OWN + 8, blocks_float(activations + BLOCK32_FLOAT) / 16, 1);
}
#endif
