/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q3_k, a block of one row as it is stored. Lower bits are one register; upper bits are broadcast to both halves of another, and shifts bring
 * them above the fields at bits 1:0 and 3:2. What is at the latter is four times too large, and has lanes of its own. Four products start from
 * -4 or -16 times their activations, so that they fit 16 bits (16 * 127 * 4); the sums of two fields are packed, and one vpdpwssd applies the
 * scales of their groups, which two shifts by lane put together.
 * A block: 5 shifts, 4 ANDs, 4 vpternlogd, 4 vpdpbusd, 2 vpackssdw, 2 vpermw, 2 vpdpwssd, 6 to make scales, 6 to end.
 * Golden Cove at 512 bits: 35 on p05: 17.5 cycles, 2.19 per output vector. 40 uops issued: 35 of arithmetic, 5 loads.
 *
 *   zmm0-7 accumulators   zmm8 sums of a block   zmm9, zmm10 sums of fields   zmm11, zmm12 codes   ymm13 scales   zmm14 of lanes, upper bits
 *   zmm15 upper bits, then d   zmm16 lower bits   zmm17 upper bits   xmm18, xmm19 bits of scales   xmm20 d   xmm21, xmm22 shifts of scales
 *   zmm23 shifts of halves   zmm24, zmm25 groups of words   zmm26-29 masks 0x03, 0x0c, 0x04, 0x10
 */
#define FORMAT           "q3_k"
#define SEQUENCE         "rows"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            13.75
#define GROUP_DOTS       1
#define GROUP_UOPS       40
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             8
#define WEIGHT_BYTES     110
#define ACTIVATION_BYTES 832
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/sequences/q3_k_operand.h"

    .section .rodata
    .balign 64
.Lhalves: .quad 0, 0, 0, 0, 4, 4, 4, 4
.Lgroups:
    .irp field, 0, 4
    .irp lane, 0, 1, 8, 9
    .fill 4, 2, \field + \lane
    .fill 4, 2, \field + \lane + 2
    .endr
    .endr
.Lnibble: .fill 16, 1, 0x0f
.Lupper: .fill 16, 1, 0x30
.Loffset: .fill 16, 1, 32
.Llow: .quad 0, 4
.Lhigh: .long 4, 2, 0, 30
.Lzero: .long 0

.macro load_constants
    mov eax, 0x03030303
    vpbroadcastd zmm26, eax
    vpslld zmm27, zmm26, 2
    mov eax, 0x04040404
    vpbroadcastd zmm28, eax
    vpslld zmm29, zmm28, 2
    vmovdqa64 zmm23, [rip + .Lhalves]
    vmovdqa64 zmm24, [rip + .Lgroups]
    vmovdqa64 zmm25, [rip + .Lgroups + 64]
    vmovdqa64 xmm21, [rip + .Llow]
    vmovdqa64 xmm22, [rip + .Lhigh]
.endm

.macro load_weights base, offset
    vmovdqu64 zmm16, [\base + \offset + 32]
    vbroadcasti64x4 zmm17, [\base + \offset]
    vpbroadcastq xmm18, [\base + \offset + 96]
    vpbroadcastd xmm19, [\base + \offset + 104]
    vpbroadcastw xmm20, [\base + \offset + 108]
.endm

.macro dot_into number, source
    vfmadd231ps zmm\number, zmm15, \source
.endm

.macro fields low, first, second, groups, number
    vmovdqu64 zmm9, [rsi + Q3_K_START + 128 * \number]
    vmovdqu64 zmm10, [rsi + Q3_K_START + 64 + 128 * \number]
    vpandd zmm11, zmm\low, zmm26
    vpternlogd zmm11, zmm\first, zmm28, 0xf8
    vpdpbusd zmm9, zmm11, [rsi + Q3_K_FIELDS + 128 * \number]
    vpandd zmm11, zmm\low, zmm27
    vpternlogd zmm11, zmm\second, zmm29, 0xf8
    vpdpbusd zmm10, zmm11, [rsi + Q3_K_FIELDS + 64 + 128 * \number]
    vpackssdw zmm9, zmm9, zmm10
    vpermw zmm11, zmm\groups, zmm13
    vpdpwssd zmm8, zmm9, zmm11
.endm

/* zero is loaded: LLVM's model of the core does not know that vpxord makes it, and would chain the blocks */
.macro group
    vpsrlvq xmm13, xmm18, xmm21
    vpandd xmm13, xmm13, [rip + .Lnibble]
    vprolvd xmm14, xmm19, xmm22
    vpternlogd xmm13, xmm14, [rip + .Lupper], 0xf8
    vpsubb xmm13, xmm13, [rip + .Loffset]
    vpmovsxbw ymm13, xmm13
    vpbroadcastd zmm8, [rip + .Lzero]
    vpsrlvq zmm15, zmm17, zmm23
    vpsllq zmm14, zmm15, 2
    vpsllq zmm12, zmm15, 3
    fields 16, 14, 12, 24, 0
    vpsrlw zmm14, zmm16, 4
    vpsllq zmm12, zmm15, 1
    fields 14, 15, 12, 25, 1
    vcvtph2ps xmm15, xmm20
    vmulss xmm15, xmm15, [rsi + Q3_K_SCALE]
    vbroadcastss zmm15, xmm15
    vcvtdq2ps zmm8, zmm8
    dot zmm8
.endm

    sequence_functions
#else
#include "micro/sequences/q3_k_row.h"

/** Of a group four words in a quarter of the packed sums, which vpdpwssd adds in pairs; the upper four of a quarter are of the field behind. */
static uint32_t lane_of(uint32_t column)
{
    return column / 128 * 8 + column % 32 / 16 * 4 + column % 64 / 32 * 2 + column % 16 / 8;
}

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    q3_k_row_refer(data, lane_of, lane_of, 4, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    q3_k_row_fill(weights, activations, seed);
}
#endif
