/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q4_0_4x8: signed nibbles [arm-kernels-codebooks, 4.1.2] of four rows in chunks of eight bytes, all of a block in one register, so that
 * activations and what sums begin at are spread over its lanes: a vpermd each. vpternlogd masks a nibble and turns a bit back.
 * Of a block of 4 rows: shift, 2 vpternlogd, 2 vpdpbusd, 3 vpermd, 2 conversions (3 uops), scales in their lanes and times that of the
 * activations, multiply-add. Golden Cove at 512 bits: 14 on p05 (5 on p5 only): 7 cycles, 1.75 per output vector. Zen 5, four pipes:
 * >= 0.88. 16 uops issued: 14 of arithmetic, 1 load, 1 copy.
 *
 *   zmm0-11 accumulators   zmm16 weights   xmm18 scales   zmm20 sums   zmm21, zmm22 codes   zmm23 activations   zmm24 scales
 *   zmm25-27 dwords of lanes   zmm28 0x08   zmm29 mask 0x0f   ymm30 rows of lanes   zmm31 operand
 */
#define FORMAT           "q4_0_4x8"
#define SEQUENCE         "signed"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            18.0
#define GROUP_DOTS       1
#define GROUP_UOPS       16
#define GROUP_VECTORS    4
#define LEAST            1
#define MOST             12
#define WEIGHT_BYTES     72
#define ACTIVATION_BYTES 64
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
    .section .rodata
    .balign 64
.Lspread: .long 0, 1, 0, 1, 0, 1, 0, 1, 2, 3, 2, 3, 2, 3, 2, 3
.Lrows: .word 0, 0, 1, 1, 2, 2, 3, 3, 0, 0, 1, 1, 2, 2, 3, 3

.macro load_constants
    vmovdqa32 zmm25, [rip + .Lspread]
    mov eax, 4
    vpbroadcastd zmm27, eax
    vpaddd zmm26, zmm25, zmm27
    vpaddd zmm27, zmm26, zmm27
    mov eax, 0x08080808
    vpbroadcastd zmm28, eax
    mov eax, 0x0f0f0f0f
    vpbroadcastd zmm29, eax
    vmovdqa32 ymm30, [rip + .Lrows]
.endm

.macro load_weights base, offset
    vmovq xmm18, [\base + \offset]
    vmovdqu32 zmm16, [\base + \offset + 8]
.endm

.macro dot_into number, source
    vfmadd231ps zmm\number, zmm24, \source
.endm

.macro group
    vmovdqu32 zmm31, [rsi]
    vmovdqa32 zmm21, zmm16
    vpsrlw zmm22, zmm16, 4
    vpternlogd zmm21, zmm28, zmm29, 0x28 /* (a ^ b) & c */
    vpternlogd zmm22, zmm28, zmm29, 0x28
    vpermd zmm20, zmm27, zmm31
    vpermd zmm23, zmm25, zmm31
    vpdpbusd zmm20, zmm21, zmm23
    vpermd zmm23, zmm26, zmm31
    vpdpbusd zmm20, zmm22, zmm23
    vcvtdq2ps zmm20, zmm20
    vpermw ymm24, ymm30, ymm18
    vcvtph2ps zmm24, ymm24
    vmulps zmm24, zmm24, dword ptr [rsi + 48]{1to16}
    dot zmm20
.endm

    sequence_functions
#else
#include "micro/sequences/block32_chunks.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    chunks_refer(data, 4, 16, block32_signed, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    chunks_fill(weights, activations, 4, 8, 4, seed);
}
#endif
