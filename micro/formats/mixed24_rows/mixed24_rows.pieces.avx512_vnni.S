/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mixed24_rows, four steps of a row: their four pieces of 16 bytes are a register, whose fields of two bits are four times 64 codes in which
 * every double word belongs to a group; so four vpdpbusd leave a group's sum in each lane, and the scales, which are as many, need
 * no broadcast. In the last double word of a piece are codes of 4 bits: two fields of it are shifted, two come from the halves that lie
 * beside the pieces, where the fields shifted by 2 and 6 would have taken them apart.
 *
 *     y = sum_g scale_g a.scale (sum_c code_c a_c - zero_g sum_c a_c)
 *
 * Golden Cove at 512 bits: 28 on p05: 14 cycles, 1.75 per output vector. Zen 5 takes 1.06. 30 uops issued: 28 of arithmetic, 2 copies.
 *
 *   zmm0-3 accumulators   zmm4-7 fields   zmm8 sums   zmm9-13 scales and zeros   zmm16 pieces   xmm17 halves   zmm18 words   ymm19 scale2
 *   xmm20 zero2   zmm21 masks   zmm22, zmm23 shifts of fields   zmm24 place of a half   zmm25 place of a word   zmm26, zmm27 shifts of scales and zeros
 *   zmm28 masks of scales   zmm29 0, 1, 2, 3   zmm30 0   k1 group 3   k2 the others
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            11.375
#define GROUP_DOTS       1
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             4
#define WEIGHT_BYTES     91 /* the row's own 88, and 3 of scale2 and zero2, which 16 rows share: one of each here */
#define ACTIVATION_BYTES 384
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-5
#define VECTOR_IS_ZMM
#include "micro/families/mixed24/mixed24_pieces.h"
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

    .section .rodata
    .balign 64
.Lword:
    .irp step, 0, 1, 2, 3
    .rept 4
    .byte 2 * \step, 2 * \step + 1, 0x80, 0x80
    .endr
    .endr
.Lhalf: .long 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3
.Lmasks: .long 0x03030303, 0x03030303, 0x03030303, 0x0f0f0f0f
.Lfield1: .long 2, 2, 2, 0
.Lfield3: .long 6, 6, 6, 4
.Lscales: .long 6, 10, 13, 0
.Lscale_masks: .long 15, 7, 7, 0
.Lzeros: .long 0, 2, 4, 0
.Ldigits: .float 0, 1, 2, 3
    .text

.macro load_constants
    vmovdqa64 zmm25, [rip + .Lword]
    vmovdqa64 zmm24, [rip + .Lhalf]
    vbroadcasti32x4 zmm21, [rip + .Lmasks]
    vbroadcasti32x4 zmm22, [rip + .Lfield1]
    vbroadcasti32x4 zmm23, [rip + .Lfield3]
    vbroadcasti32x4 zmm26, [rip + .Lscales]
    vbroadcasti32x4 zmm28, [rip + .Lscale_masks]
    vbroadcasti32x4 zmm27, [rip + .Lzeros]
    vbroadcastf32x4 zmm29, [rip + .Ldigits]
    vpxord zmm30, zmm30, zmm30
    mov eax, 0x8888
    kmovw k1, eax
    mov eax, 0x7777
    kmovw k2, eax
.endm

.macro load_weights base, offset
    vmovdqu32 zmm16, [\base + \offset]
    vmovdqu32 xmm17, [\base + \offset + 64]
    vpbroadcastq zmm18, qword ptr [\base + \offset + 80]
    vpbroadcastw ymm19, word ptr [\base + \offset + 88]
    vpbroadcastb xmm20, byte ptr [\base + \offset + 90]
.endm

.macro dot_into number, source
    vfmadd231ps zmm\number, zmm10, \source
.endm

.macro group
    vpandd zmm4, zmm16, zmm21
    vmovdqa32 zmm8, zmm30
    vpdpbusd zmm8, zmm4, [rsi]
    vmovdqa32 zmm7, zmm16
    vpermd zmm7{k1}, zmm24, zmm17
    vpsrlvd zmm5, zmm7, zmm22
    vpandd zmm5, zmm5, zmm21
    vpdpbusd zmm8, zmm5, [rsi + 64]
    vpsrld zmm6, zmm16, 4
    vpandd zmm6, zmm6, zmm21
    vpdpbusd zmm8, zmm6, [rsi + 128]
    vpsrlvd zmm7, zmm7, zmm23
    vpandd zmm7, zmm7, zmm21
    vpdpbusd zmm8, zmm7, [rsi + 192]
    vpshufb zmm9, zmm18, zmm25
    vcvtph2ps zmm10, ymm19
    vpmovsxbd zmm11, xmm20
    vcvtdq2ps zmm11, zmm11
    vpsrlvd zmm12, zmm9, zmm26
    vpandd zmm12, zmm12, zmm28
    vcvtdq2ps zmm12, zmm12
    vsubps zmm12, zmm12, zmm11
    vmulps zmm10{k2}, zmm10, zmm12
    vpsrlvd zmm9, zmm9, zmm27
    vpermilps zmm11{k2}, zmm29, zmm9
    vmulps zmm10, zmm10, [rsi + MIXED24_PIECES_SCALE]
    vcvtdq2ps zmm8, zmm8
    vfnmadd231ps zmm8, zmm11, [rsi + MIXED24_PIECES_SUMS]
    dot zmm8
.endm

    sequence_functions
#else
#include "micro/families/blocks/blocks.h"

enum { STEPS = 4, HALVES = 64, WORDS = 80, SCALE2 = 88, ZERO2 = 90, COLUMNS = 64, GROUP = 16 };

static double weight_of(const uint8_t *w, uint32_t step, uint32_t column)
{
    static const uint32_t scale_shifts[3] = {6, 10, 13}, scale_bits[3] = {4, 3, 3};
    const uint8_t *piece = w + 16 * step, *half = w + HALVES + 4 * step, *word = w + WORDS + 2 * step;
    double scale2 = blocks_half(w + SCALE2);
    int32_t zero2 = (int8_t)w[ZERO2];
    uint32_t group = column / GROUP, c = column % GROUP, fields = word[0] | (uint32_t)word[1] << 8;
    if (group == 3)
        return scale2 * ((int32_t)blocks_code(c < 8 ? piece + 12 : half, 4 * (c % 8), 4) - zero2);
    int32_t scale = (int32_t)(fields >> scale_shifts[group] & ((1u << scale_bits[group]) - 1));
    int32_t code = (int32_t)blocks_code(piece + 4 * group, 2 * c, 2);
    return scale2 * (scale - zero2) * (code - (int32_t)(fields >> 2 * group & 3));
}

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    for (uint32_t lane = 0; lane < 4 * STEPS; lane++) {
        uint32_t step = lane / 4, first = lane % 4 * GROUP;
        double value = 0, magnitude = 0, scale = blocks_float(data->activations + MIXED24_PIECES_SCALE + 4 * lane);
        for (uint32_t column = first; column < first + GROUP; column++) {
            int8_t a = (int8_t)data->activations[mixed24_pieces_at(step, column)];
            double term = weight_of(data->weights, step, column) * scale * a;
            value += term;
            magnitude += fabs(term);
        }
        blocks_add(sum, magnitudes, lane, value, magnitude);
    }
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    uint64_t state = seed;
    reference_random_bytes(weights, SCALE2, &state); /* not all codes alike: weights of codes and zeros at one end are 0 */
    reference_random_int8((int8_t *)activations, MIXED24_PIECES_SUMS, &state);
    blocks_draw_scales(weights + SCALE2, 1, &state);
    weights[ZERO2] = (uint8_t)(sequence_random(&state) % 128 - 112);
    for (uint32_t step = 0; step < STEPS; step++) {
        double scale = 0.001 * (double)(1 + sequence_random(&state) % 100);
        blocks_put_float(activations + MIXED24_PIECES_SCALE + 16 * step, scale, 4);
        for (uint32_t group = 0; group < 4; group++) {
            int32_t total = 0;
            for (uint32_t column = group * GROUP; column < (group + 1) * GROUP; column++)
                total += (int8_t)activations[mixed24_pieces_at(step, column)];
            blocks_put_float(activations + MIXED24_PIECES_SUMS + 16 * step + 4 * group, total, 1);
        }
    }
}
#endif
