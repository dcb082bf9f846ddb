/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q3_k_m16, a quarter of a block of 16 rows whose lanes are rows: four lines of lower bits, four groups of 16 columns. Those at bits 1:0 and 3:2 are
 * masked, the others shifted down once, and all take their upper bits above them. A sum of 16 columns fits 16 bits even where it is four times
 * too large (16 * 127 * 16), so that vpdpwssd multiplies it by 256 times its scale, a byte of the lane that vpshufb moves.
 * 4 x (4 shifts, 4 ANDs, 4 vpternlogd, 4 vpdpbusd), 8 to make scales, 4 vpshufb, 4 vpdpwssd, 7 of sums and their scales.
 * Golden Cove at 512 bits: 87 on p05: 43.5 cycles, 1.36 per output vector. 93 uops issued: 87 of arithmetic, 6 loads.
 *
 *   zmm0 accumulator   zmm1-4 sums of groups   zmm5, zmm6 totals, of odd fields   zmm7 lower bits, shifted   zmm8 codes   zmm9 upper bits, shifted
 *   zmm10, zmm11 scales of groups 0-3, 4-7   zmm12 scales   ymm13 d   zmm14, zmm15 lower bits of scales   zmm16 upper bits of scales
 *   zmm17, zmm18 upper bits   zmm19-22 lower bits   zmm23, zmm31 byte 2 and 0 of each lane as the upper of a word
 *   zmm24-27 masks 0x03, 0x0c, 0x04, 0x10   zmm28-30 0x0f, 0x30, 32
 */
#define FORMAT           "q3_k_m16"
#define SEQUENCE         "lanes"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            13.75
#define GROUP_DOTS       1
#define GROUP_UOPS       93
#define GROUP_VECTORS    32
#define LEAST            1
#define MOST             1
#define WEIGHT_BYTES     440 /* a quarter of a block: d and scales are of four rows here, lines of upper bits serve two of lower ones */
#define ACTIVATION_BYTES 384
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/sequences/q3_k_lanes_operand.h"

    .section .rodata
    .balign 64
.Lbyte:
    .irp byte, 0, 2
    .rept 4
    .irp lane, 0, 4, 8, 12
    .byte 0x80, \byte + \lane, 0x80, 0x80
    .endr
    .endr
    .endr
.Lfour: .float 4
.Lzero: .long 0

.macro load_constants
    mov eax, 0x03030303
    vpbroadcastd zmm24, eax
    vpslld zmm25, zmm24, 2
    mov eax, 0x04040404
    vpbroadcastd zmm26, eax
    vpslld zmm27, zmm26, 2
    mov eax, 0x0f0f0f0f
    vpbroadcastd zmm28, eax
    mov eax, 0x30303030
    vpbroadcastd zmm29, eax
    mov eax, 0x20202020
    vpbroadcastd zmm30, eax
    vmovdqa64 zmm31, [rip + .Lbyte]
    vmovdqa64 zmm23, [rip + .Lbyte + 64]
.endm

.macro load_weights base, offset
    vpbroadcastq ymm13, [\base + \offset]
    vbroadcasti32x4 zmm14, [\base + \offset + 8]
    vbroadcasti32x4 zmm15, [\base + \offset + 24]
    vbroadcasti32x4 zmm16, [\base + \offset + 40]
    vmovdqu64 zmm17, [\base + \offset + 56]
    vmovdqu64 zmm18, [\base + \offset + 120]
    vmovdqu64 zmm19, [\base + \offset + 184]
    vmovdqu64 zmm20, [\base + \offset + 248]
    vmovdqu64 zmm21, [\base + \offset + 312]
    vmovdqu64 zmm22, [\base + \offset + 376]
.endm

.macro dot_into number, source
    vfmadd231ps zmm\number, zmm12, \source
.endm

.macro scales to, low, shift
    vpandd \to, \low, zmm28
    vpslld zmm12, zmm16, \shift
    vpternlogd \to, zmm12, zmm29, 0xf8
    vpsubb \to, \to, zmm30
.endm

.macro columns sum, low, mask, high, above, activations
    vpandd zmm8, \low, \mask
    vpternlogd zmm8, \high, \above, 0xf8
    vpdpbusd \sum, zmm8, dword ptr [\activations]{1to16}
.endm

/* four columns of each of four groups; the activations of a field are 32 columns on */
.macro line number, low, high
    vpslld zmm9, \high, 2
    columns zmm1, \low, zmm24, zmm9, zmm26, <rsi + 4 * \number>
    vpslld zmm9, \high, 3
    columns zmm2, \low, zmm25, zmm9, zmm27, <rsi + 4 * \number + 32>
    vpsrld zmm7, \low, 4
    columns zmm3, zmm7, zmm24, \high, zmm26, <rsi + 4 * \number + 64>
    vpslld zmm9, \high, 1
    columns zmm4, zmm7, zmm25, zmm9, zmm27, <rsi + 4 * \number + 96>
.endm

.macro scaled total, sum, scales, byte
    vpshufb zmm12, \scales, \byte
    vpdpwssd \total, \sum, zmm12
.endm

/* zeros are loaded: LLVM's model of the core does not know that vpxord makes them, and would chain the blocks */
.macro group
    scales zmm10, zmm14, 4
    scales zmm11, zmm15, 2
    vpbroadcastd zmm1, [rsi + Q3_K_LANES_START]
    vpbroadcastd zmm2, [rsi + Q3_K_LANES_START + 8]
    vpbroadcastd zmm3, [rsi + Q3_K_LANES_START + 16]
    vpbroadcastd zmm4, [rsi + Q3_K_LANES_START + 24]
    vpbroadcastd zmm5, [rip + .Lzero]
    vpbroadcastd zmm6, [rip + .Lzero]
    line 0, zmm19, zmm17
    line 1, zmm20, zmm18
    line 2, zmm21, zmm17
    line 3, zmm22, zmm18
    scaled zmm5, zmm1, zmm10, zmm31
    scaled zmm6, zmm2, zmm10, zmm23
    scaled zmm5, zmm3, zmm11, zmm31
    scaled zmm6, zmm4, zmm11, zmm23
    vcvtdq2ps zmm5, zmm5
    vcvtdq2ps zmm6, zmm6
    vfmadd132ps zmm5, zmm6, dword ptr [rip + .Lfour]{1to16}
    vcvtph2ps zmm12, ymm13
    vmulps zmm12, zmm12, dword ptr [rsi + Q3_K_LANES_STEP]{1to16}
    dot zmm5
.endm

    sequence_functions
#else
#include "micro/sequences/blocks.h"
#include "micro/sequences/q3_k_lanes_operand.h"

enum { ROWS = 16, LOW_SCALES = 8, HIGH_SCALES = 40, HIGH = 56, CODES = 184 };

/** Scale of group 2 j of a row, less 32. */
static int32_t scale_of(const uint8_t *weights, uint32_t row, uint32_t j)
{
    uint32_t low = weights[LOW_SCALES + j / 2 * 16 + row % 4 * 4 + j % 2 * 2] & 15u;
    uint32_t high = weights[HIGH_SCALES + row % 4 * 4 + j % 2 * 2] >> j / 2 * 2 & 3u;
    return (int32_t)(high << 4 | low) - 32;
}

/** Lane r is row r: columns 32 j … 32 j + 15 of it. */
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    const uint8_t *w = data->weights;
    double scale = blocks_float(data->activations + Q3_K_LANES_STEP) * Q3_K_LANES_PARTS;
    for (uint32_t row = 0; row < ROWS; row++) {
        double value = 0, magnitude = 0, d = blocks_half(w + row % 4 * 2);
        for (uint32_t at = 0; at < 64; at++) {
            uint32_t j = at / 16, k = at % 16, byte = k / 4 * 64 + 4 * row + k % 4;
            uint32_t low = w[CODES + byte] >> 2 * j & 3u, high = w[HIGH + byte % 128] >> j & 1u;
            double one = d * scale * scale_of(w, row, j) * (int8_t)data->activations[32 * j + k];
            value += one * ((int32_t)(high << 2 | low) - 4);
            magnitude += fabs(one) * 8;
        }
        blocks_add(sum, magnitudes, row, value, magnitude);
    }
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    uint64_t state = seed;
    const int8_t *a = (const int8_t *)activations;
    blocks_draw_scales(weights, 4, &state);
    blocks_draw(weights + LOW_SCALES, 432, (int8_t *)activations, 256, seed);
    for (uint32_t group = 0; group < 16; group++) {
        int32_t total = 0;
        for (uint32_t k = 0; k < 16; k++)
            total += a[16 * group + k];
        blocks_put_int32(activations + Q3_K_LANES_START + 4 * group, (group / 2 % 2 ? -16 : -4) * total, 1);
    }
    blocks_put_float(activations + Q3_K_LANES_STEP, 0.001 * (double)(1 + sequence_random(&state) % 100) / Q3_K_LANES_PARTS, 1);
}
#endif
