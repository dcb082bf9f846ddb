/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q6_k_m16, a quarter of a block of 16 rows whose lanes are rows: eight lines of lower bits, four of upper ones, four groups of 16 columns. A sum of
 * 8 columns fits 16 bits (32 * 127 * 8), so that vpdpwssd multiplies it by its scale, a byte of the lane that vpshufb moves and a shift extends.
 * 4 x (5 shifts, 4 ANDs, 4 vpternlogd, 4 vpdpbusd), 4 vpshufb, 4 shifts, 8 vpdpwssd, 4 of sums and their scale.
 * Golden Cove at 512 bits: 88 on p05: 44 cycles, 1.375 per output vector. 98 uops issued: 88 of arithmetic, 10 loads.
 *
 *   zmm0 accumulator   zmm1-4 sums of groups   zmm5 total   zmm6 upper bits, shifted   zmm7 codes   zmm8 d   zmm9, zmm10 scales of groups
 *   zmm11 d as floats   zmm12-15 upper bits   zmm16-23 lower bits   zmm24, zmm25 bytes 0 and 2 of each lane as the upper of a word
 *   zmm26-29 scales   zmm30, zmm31 masks 0x0f, 0x30
 */
#define FORMAT           "q6_k_m16"
#define SEQUENCE         "lanes"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            26.25
#define GROUP_DOTS       1
#define GROUP_UOPS       98
#define GROUP_VECTORS    32
#define LEAST            1
#define MOST             1
#define WEIGHT_BYTES     840 /* a quarter of a block: d is of four rows here, and scales are of eight */
#define ACTIVATION_BYTES 448
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/sequences/q6_k_lanes_operand.h"

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
.Lzero: .long 0

.macro load_constants
    mov eax, 0x0f0f0f0f
    vpbroadcastd zmm30, eax
    mov eax, 0x30303030
    vpbroadcastd zmm31, eax
    vmovdqa64 zmm24, [rip + .Lbyte]
    vmovdqa64 zmm25, [rip + .Lbyte + 64]
.endm

.macro load_weights base, offset
    vpbroadcastq ymm8, [\base + \offset]
    vbroadcasti64x4 zmm9, [\base + \offset + 8]
    vbroadcasti64x4 zmm10, [\base + \offset + 40]
    .set line_at, 0
    .irp number, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23
    vmovdqu64 zmm\number, [\base + \offset + 72 + line_at]
    .set line_at, line_at + 64
    .endr
.endm

.macro dot_into number, source
    vfmadd231ps zmm\number, zmm11, \source
.endm

.macro columns sum, high, activations
    vpternlogd zmm7, \high, zmm31, 0xf8
    vpdpbusd \sum, zmm7, dword ptr [\activations]{1to16}
.endm

/* four columns of each of four groups; the activations of a field are 32 columns on */
.macro line number, low, low2, high
    vpandd zmm7, \low, zmm30
    vpslld zmm6, \high, 4
    columns zmm1, zmm6, <rsi + 4 * \number>
    vpandd zmm7, \low2, zmm30
    vpslld zmm6, \high, 2
    columns zmm2, zmm6, <rsi + 4 * \number + 32>
    vpsrld zmm7, \low, 4
    vpandd zmm7, zmm7, zmm30
    columns zmm3, \high, <rsi + 4 * \number + 64>
    vpsrld zmm7, \low2, 4
    vpandd zmm7, zmm7, zmm30
    vpsrld zmm6, \high, 2
    columns zmm4, zmm6, <rsi + 4 * \number + 96>
.endm

/* groups 0, 2, 4, 6 have two starts each */
.macro begin which
    vpbroadcastd zmm1, [rsi + Q6_K_LANES_START + 4 * \which]
    vpbroadcastd zmm2, [rsi + Q6_K_LANES_START + 4 * \which + 16]
    vpbroadcastd zmm3, [rsi + Q6_K_LANES_START + 4 * \which + 32]
    vpbroadcastd zmm4, [rsi + Q6_K_LANES_START + 4 * \which + 48]
.endm

.macro scale_words to, scales, byte
    vpshufb \to, \scales, \byte
    vpsraw \to, \to, 8
.endm

.macro scaled
    vpdpwssd zmm5, zmm1, zmm26
    vpdpwssd zmm5, zmm2, zmm27
    vpdpwssd zmm5, zmm3, zmm28
    vpdpwssd zmm5, zmm4, zmm29
.endm

/* zero is loaded: LLVM's model of the core does not know that vpxord makes it, and would chain the blocks */
.macro group
    vpbroadcastd zmm5, [rip + .Lzero]
    scale_words zmm26, zmm9, zmm24
    scale_words zmm27, zmm9, zmm25
    scale_words zmm28, zmm10, zmm24
    scale_words zmm29, zmm10, zmm25
    begin 0
    line 0, zmm16, zmm20, zmm12
    line 1, zmm17, zmm21, zmm13
    scaled
    begin 1
    line 2, zmm18, zmm22, zmm14
    line 3, zmm19, zmm23, zmm15
    scaled
    vcvtdq2ps zmm5, zmm5
    vcvtph2ps zmm11, ymm8
    vmulps zmm11, zmm11, dword ptr [rsi + Q6_K_LANES_SCALE]{1to16}
    dot zmm5
.endm

    sequence_functions
#else
#include "micro/sequences/blocks.h"
#include "micro/sequences/q6_k_lanes_operand.h"

enum { ROWS = 16, SCALES = 8, HIGH = 72, LOW = 328 };

/** Lane r is row r: columns 32 j … 32 j + 15 of it. */
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    const uint8_t *w = data->weights;
    double scale = blocks_float(data->activations + Q6_K_LANES_SCALE);
    for (uint32_t row = 0; row < ROWS; row++) {
        double value = 0, magnitude = 0, d = blocks_half(w + row % 4 * 2) * scale;
        for (uint32_t at = 0; at < 64; at++) {
            uint32_t j = at / 16, k = at % 16, byte = k / 4 * 64 + 4 * row + k % 4;
            uint32_t low = w[LOW + j % 2 * 256 + byte] >> j / 2 * 4 & 15u, high = w[HIGH + byte] >> 2 * j & 3u;
            int32_t of_group = (int8_t)w[SCALES + j / 2 * 32 + row % 8 * 4 + j % 2 * 2];
            double one = d * of_group * (int8_t)data->activations[32 * j + k];
            value += one * ((int32_t)(high << 4 | low) - 32);
            magnitude += fabs(one) * 64;
        }
        blocks_add(sum, magnitudes, row, value, magnitude);
    }
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    uint64_t state = seed;
    const int8_t *a = (const int8_t *)activations;
    blocks_draw_scales(weights, 4, &state);
    blocks_draw(weights + SCALES, 832, (int8_t *)activations, 256, seed);
    for (uint32_t eight = 0; eight < 32; eight++) {
        int32_t total = 0;
        for (uint32_t k = 0; k < 8; k++)
            total += a[8 * eight + k];
        blocks_put_int32(activations + Q6_K_LANES_START + 4 * eight, -32 * total, 1);
    }
    blocks_put_float(activations + Q6_K_LANES_SCALE, 0.001 * (double)(1 + sequence_random(&state) % 100), 1);
}
#endif
