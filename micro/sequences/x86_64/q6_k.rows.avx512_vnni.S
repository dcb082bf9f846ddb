/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q6_k, a block of one row as it is stored. A register of lower bits has 64 columns in its low nibbles and the next 64 in its high ones;
 * both halves of either meet the same 32 bytes of upper bits, which one shift of 64-bit lanes brings to bits 5:4. A lane of four products starts
 * from -32 times its activations, so that it fits 16 bits (32 * 127 * 4); two registers of sums are packed, and one vpdpwssd applies the
 * scales of their groups. Half a block: 3 shifts, 2 ANDs, 2 vpternlogd, 2 vpdpbusd, 1 vpackssdw, 1 vpermw, 1 vpdpwssd; a block 7 more.
 * Golden Cove at 512 bits: 31 on p05 (7 of them on p5 only): 15.5 cycles, 1.94 per output vector. 36 uops issued: 31 of arithmetic, 5 loads.
 *
 *   zmm0-7 accumulators   zmm8 sums of a block   zmm9, zmm10 sums of 64 columns   zmm11, zmm12 codes   ymm13 scales   zmm14 scales of lanes
 *   zmm15 d   zmm16, zmm17 lower bits   zmm18, zmm19 upper bits   xmm20 scales   xmm21 d   zmm24, zmm25 shifts left and right
 *   zmm26, zmm27 groups of words   zmm30, zmm31 masks 0x30, 0x0f
 */
#define FORMAT           "q6_k"
#define SEQUENCE         "rows"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            26.25
#define GROUP_DOTS       1
#define GROUP_UOPS       36
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             8
#define WEIGHT_BYTES     210
#define ACTIVATION_BYTES 640
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/sequences/q6_k_operand.h"

    .section .rodata
    .balign 64
.Lleft: .quad 4, 4, 4, 4, 2, 2, 2, 2
.Lright: .quad 0, 0, 0, 0, 2, 2, 2, 2
.Lgroups:
    .irp half, 0, 8
    .irp lane, 0, 1, 2, 3
    .fill 4, 2, \half + \lane
    .fill 4, 2, \half + \lane + 4
    .endr
    .endr
.Lzero: .long 0

.macro load_constants
    mov eax, 0x30303030
    vpbroadcastd zmm30, eax
    mov eax, 0x0f0f0f0f
    vpbroadcastd zmm31, eax
    vmovdqa64 zmm24, [rip + .Lleft]
    vmovdqa64 zmm25, [rip + .Lright]
    vmovdqa64 zmm26, [rip + .Lgroups]
    vmovdqa64 zmm27, [rip + .Lgroups + 64]
.endm

.macro load_weights base, offset
    vmovdqu64 zmm16, [\base + \offset]
    vmovdqu64 zmm17, [\base + \offset + 64]
    vbroadcasti64x4 zmm18, [\base + \offset + 128]
    vbroadcasti64x4 zmm19, [\base + \offset + 160]
    vmovdqu64 xmm20, [\base + \offset + 192]
    vpbroadcastw xmm21, [\base + \offset + 208]
.endm

.macro dot_into number, source
    vfmadd231ps zmm\number, zmm15, \source
.endm

.macro half low, high, groups, activations
    vmovdqu64 zmm9, [rsi + Q6_K_START + \activations]
    vmovdqu64 zmm10, [rsi + Q6_K_START + 64 + \activations]
    vpandd zmm11, zmm\low, zmm31
    vpsllvq zmm12, zmm\high, zmm24
    vpternlogd zmm11, zmm12, zmm30, 0xf8
    vpdpbusd zmm9, zmm11, [rsi + \activations]
    vpsrlw zmm11, zmm\low, 4
    vpandd zmm11, zmm11, zmm31
    vpsrlvq zmm12, zmm\high, zmm25
    vpternlogd zmm11, zmm12, zmm30, 0xf8
    vpdpbusd zmm10, zmm11, [rsi + 64 + \activations]
    vpackssdw zmm9, zmm9, zmm10
    vpermw zmm14, zmm\groups, zmm13
    vpdpwssd zmm8, zmm9, zmm14
.endm

/* zero is loaded: LLVM's model of the core does not know that vpxord makes it, and would chain the blocks */
.macro group
    vpmovsxbw ymm13, xmm20
    vpbroadcastd zmm8, [rip + .Lzero]
    half 16, 18, 26, 0
    half 17, 19, 27, 128
    vcvtph2ps xmm15, xmm21
    vmulss xmm15, xmm15, [rsi + Q6_K_SCALE]
    vbroadcastss zmm15, xmm15
    vcvtdq2ps zmm8, zmm8
    dot zmm8
.endm

    sequence_functions
#else
#include "micro/sequences/q6_k_row.h"

/** Of a group four words in a quarter of the packed sums, which vpdpwssd adds in pairs; the upper four of a quarter are of the group 64 on. */
static uint32_t lane_of(uint32_t column)
{
    return column % 64 / 16 * 4 + column % 128 / 64 * 2 + column % 16 / 8;
}

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    q6_k_row_refer(data, lane_of, lane_of, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    q6_k_row_fill(weights, activations, seed);
}
#endif
