/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MXFP4, sixteen blocks of one row as they are stored, 17 bytes each: the codes of four blocks come side by side by three insertions from memory. Byte 17 i
 * of 64 is byte i of quarter i, so one vpshufb brings four scales into lanes of their own. Codes are looked up by vpshufb, 12 more than
 * twice the value; a scale is the exponent that vscalefps adds to that of the activations' scale, exactly.
 * Of 16 blocks: 12 insertions, 4 vpshufb of scales, 4 shifts, 8 ANDs, 8 vpshufb, 8 vpdpbusd, 6 unpacks, 4 additions, 6 of scales and sums.
 * Golden Cove at 512 bits: 60 on p05, vscalefps being two: 30 cycles, 1.88 per output vector.
 *
 *   zmm0-11 accumulators   zmm12-15 sums of four blocks   zmm16 activations' scales   zmm17 with scales   zmm24 codes   zmm25 high codes   zmm26 scales
 *   zmm27 bias   zmm28 scales of quarters   zmm29 mask 0x0f   zmm30 values   k1-k4 the scales of groups 0-3   r11 weights
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            17.0
#define GROUP_DOTS       1
#define GROUP_VECTORS    16
#define LEAST            1
#define MOST             12
#define WEIGHT_BYTES     272
#define ACTIVATION_BYTES 640 /* [group][nibble][quarter][16] int8; from OFFSET minus the offset times their sum, from SCALE the scale, by lane */
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#define OFFSET 512
#define SCALE  576

#ifdef __ASSEMBLER__
    .section .rodata
    .balign 64
.Lscales:
    .irp quarter, -256, -255, -254, -253
    .fill 4, 4, \quarter
    .endr
.Lvalues: .byte 12, 13, 14, 15, 16, 18, 20, 24, 12, 11, 10, 9, 8, 6, 4, 0

#include "micro/families/block32/block32_rows16.add_lanes.inc"

.macro load_constants
    mov eax, 128
    vpbroadcastd zmm27, eax
    vmovdqa64 zmm28, [rip + .Lscales]
    mov eax, 0x0f0f0f0f
    vpbroadcastd zmm29, eax
    vbroadcasti32x4 zmm30, [rip + .Lvalues]
    mov rax, 0x000f000f000f000f
    kmovq k1, rax
    kshiftlq k2, k1, 4
    kshiftlq k3, k1, 8
    kshiftlq k4, k1, 12
.endm

.macro load_weights base, offset
    lea r11, [\base + \offset]
.endm

.macro dot_into number, source
    vfmadd231ps zmm\number, zmm26, \source
.endm

.macro blocks number, sums, scales
    vmovdqu64 zmm17, [r11 + 68 * \number]
    .if \number
    vpshufb zmm26{k\scales}, zmm17, zmm28
    .else
    vpshufb zmm26{k1}{z}, zmm17, zmm28
    .endif
    vmovdqu64 xmm24, [r11 + 68 * \number + 1]
    vinserti32x4 zmm24, zmm24, [r11 + 68 * \number + 18], 1
    vinserti32x4 zmm24, zmm24, [r11 + 68 * \number + 35], 2
    vinserti32x4 zmm24, zmm24, [r11 + 68 * \number + 52], 3
    vpsrlw zmm25, zmm24, 4
    vpandd zmm24, zmm24, zmm29
    vpandd zmm25, zmm25, zmm29
    vpshufb zmm24, zmm30, zmm24
    vpshufb zmm25, zmm30, zmm25
    vpxord zmm\sums, zmm\sums, zmm\sums
    vpdpbusd zmm\sums, zmm24, [rsi + 128 * \number]
    vpdpbusd zmm\sums, zmm25, [rsi + 128 * \number + 64]
.endm

.macro group
    blocks 0, 12, 1
    blocks 1, 13, 2
    blocks 2, 14, 3
    blocks 3, 15, 4
    add_lanes
    vcvtdq2ps zmm13, zmm13
    vpsubd zmm26, zmm26, zmm27
    vcvtdq2ps zmm26, zmm26
    vmovups zmm16, [rsi + SCALE]
    vscalefps zmm26, zmm16, zmm26
    dot zmm13
.endm

    sequence_functions
#else
#define SCALE_IS_BYTE
#include "micro/families/block32/block32_rows16_reference.h"

/** Twice the value of each code. */
static const int8_t twice[16] = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    rows16_refer(data, twice, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    rows16_fill(weights, activations, 12, seed);
}
#endif
