/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q2_k, a row at a time, in the order in which it is stored: the starting point for [arm-kernels-codebooks, 6.4]. Codes
 * are shifted and masked, their 16-bit products with the activations are multiplied by the scales of their groups of 16
 * (a byte shuffle spreads two scales over a register of words) as vpmaddwd adds them up; the minima meet the sums of
 * the activations, both exact in 32 bits; a block ends in two multiply-adds. The lanes are parts of one row.
 * Per 32 weights: 0.75 shifts, 1 AND, 1 vpmaddubsw, 1 shuffle, 1 vpmaddwd, 1 vpaddd; a block of 256: 16 more. 61 uops.
 * Golden Cove: 30 on p01, 9 on p15, 5 on p5, 17 anywhere: 61 on three ports, 2.54 cycles per output vector. Zen 3: 61
 * on four pipes, 1.91.
 *
 *   ymm0-3 accumulators   ymm4 scales   ymm5 minima, their sums   ymm6 sums   ymm7 codes, products
 *   ymm8 spread scales, dmin   ymm9 d   ymm11 mask 0x03   xmm12 d and dmin   xmm13 scales and minima
 *   ymm14, ymm15 codes
 */
#define FORMAT           "q2_k"
#define SEQUENCE         "reference"
#define ORIGIN           "llama.cpp"
#define CLAIMED          0.0
#define BYTES            10.5
#define GROUP_DOTS       2
#define GROUP_UOPS       61
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             4
#define WEIGHT_BYTES     84
#define ACTIVATION_BYTES 368 /* 16 sums; scale, -scale and two zeros */
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
    .section .rodata
    .balign 32
/* words of the scales of groups 2 n (lower half) and 2 n + 1 (upper half) */
.Lspread:
    .set group_number, 0
    .rept 8
    .rept 8
    .byte group_number, 0x80
    .endr
    .rept 8
    .byte group_number + 1, 0x80
    .endr
    .set group_number, group_number + 2
    .endr
.Lnibble: .fill 16, 1, 0x0f

.macro load_constants
    mov eax, 0x03030303
    vmovd xmm11, eax
    vpbroadcastd ymm11, xmm11
.endm

.macro load_weights base, offset
    vmovdqu xmm13, [\base + \offset]
    vmovdqu ymm14, [\base + \offset + 16]
    vmovdqu ymm15, [\base + \offset + 48]
    vmovd xmm12, dword ptr [\base + \offset + 80]
.endm

.macro dot_into number, source
    .if dot_minima
    vfmadd231ps ymm\number, ymm8, \source
    .else
    vfmadd231ps ymm\number, ymm9, \source
    .endif
    .set dot_minima, 1 - dot_minima
.endm

.macro plane codes, chunk, shift
    .if \shift
    vpsrlw ymm7, ymm\codes, \shift
    vpand ymm7, ymm7, ymm11
    .else
    vpand ymm7, ymm\codes, ymm11
    .endif
    vpmaddubsw ymm7, ymm7, [rsi + 128 * \chunk + 16 * \shift]
    vpshufb ymm8, ymm4, [rip + .Lspread + 128 * \chunk + 16 * \shift]
    .if \chunk + \shift
    vpmaddwd ymm7, ymm7, ymm8
    vpaddd ymm6, ymm6, ymm7
    .else
    vpmaddwd ymm6, ymm7, ymm8
    .endif
.endm

.macro planes codes, chunk
    plane \codes, \chunk, 0
    plane \codes, \chunk, 2
    plane \codes, \chunk, 4
    plane \codes, \chunk, 6
.endm

.macro group
    .set dot_minima, 0
    vpand xmm4, xmm13, [rip + .Lnibble]
    vpsrlw xmm5, xmm13, 4
    vpand xmm5, xmm5, [rip + .Lnibble]
    vpmovzxbw ymm5, xmm5
    vpmaddwd ymm5, ymm5, [rsi + 320]
    vinserti128 ymm4, ymm4, xmm4, 1
    planes 14, 0
    planes 15, 1
    vcvtph2ps xmm8, xmm12
    vmulps xmm8, xmm8, [rsi + 352]
    vbroadcastss ymm9, xmm8
    vmovshdup xmm8, xmm8
    vbroadcastss ymm8, xmm8
    vcvtdq2ps ymm6, ymm6
    vcvtdq2ps ymm5, ymm5
    dot ymm6
    dot ymm5
.endm

    sequence_functions
#else
#include "micro/sequences/block256.h"

static const struct block256 row = {1, 8, 2};

/* dot product 0: lane l has four weights of each 32; 1: lane l has the minima of groups 2 l and 2 l + 1 */
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    const uint8_t *w = data->weights;
    double scale = blocks_float(data->activations + BLOCK256_SCALE) * block256_half(row, w, 0, dot);
    for (uint32_t k = 0; k < 256; k++) {
        uint32_t group = k / 16, lane = dot == 0 ? k % 32 / 4 : k / 32, byte = block256_byte(row, w, 0, group);
        uint32_t code = blocks_code(w, block256_position(row, 0, group, k % 16), 2);
        int32_t weight = dot == 0 ? (int32_t)((byte & 15) * code) : -(int32_t)(byte >> 4);
        double value = scale * weight * ((const int8_t *)data->activations)[k];
        blocks_add(sum, magnitudes, lane, value, fabs(value));
    }
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block256_fill(row, weights, activations, seed);
    double scale = blocks_float(activations + BLOCK256_SCALE);
    for (uint32_t group = 0; group < 16; group++)
        blocks_put_int16(activations + BLOCK256_OWN + 2 * group, block256_sum(activations, group));
    blocks_put_float(activations + BLOCK256_OWN + 32, scale, 1);
    blocks_put_float(activations + BLOCK256_OWN + 36, -scale, 1);
    blocks_put_float(activations + BLOCK256_OWN + 40, 0, 2);
}
#endif
