/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q2_k, four blocks of one row as they are stored. A quarter of a field of codes is a group of 16 weights, so its sums
 * are four lanes; those of two fields are packed to 16 bits and meet the scales of their groups, spread by vpermb, in
 * one vpdpwssd. Fields are taken at bits 1:0 and 3:2; the upper ones are four times too large and have lanes of their
 * own, which the end of a row divides by four. The minima of all four blocks meet sums of activations split in two
 * digits, 16 high + low, so that vpdpbusd takes them; d and dmin are converted for four blocks at once.
 * Of a block: 1 shift, 4 ANDs, 4 vpdpbusd, 2 packs, 2 vpermb, 2 vpdpwssd, 3 of scales and sums; of four blocks: 18 more.
 * Golden Cove at 512 bits: 90 on p05 (25 of them on p5 only): 45 cycles for 1024 weights, 1.41 per output vector.
 *
 *   zmm0-7 accumulators   zmm8 group bytes   zmm9 of all blocks: d0, -dmin0, d1, …   zmm10 scales   zmm11 sums of a block
 *   zmm12, zmm13 sums of fields   zmm14 what is spread over lanes   xmm15 d and dmin   zmm16-19 codes
 *   zmm20-23 group bytes of each block   xmm24-27 d and dmin of each   zmm28, zmm29 fields   zmm30, zmm31 masks 0x03, 0x0c
 *   k1 even bytes   k2-k4 quarters 1-3
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            10.5
#define GROUP_DOTS       5
#define GROUP_VECTORS    32
#define LEAST            1
#define MOST             8
#define WEIGHT_BYTES     336
#define ACTIVATION_BYTES 1184 /* [block][field][64] int8; LOW, HIGH [block][group]; SCALES of a block and its negative */
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#define LOW    1024
#define HIGH   1088
#define SCALES 1152

#ifdef __ASSEMBLER__
    .section .rodata
    .balign 64
/* words of the scales of fields 0 and 1, then 2 and 3, of the group that each quarter holds, of each block */
.Lspread:
    .irp block, 0, 16, 32, 48
    .irp field, 0, 4
    .irp quarter, 0, 1, 8, 9
    .fill 4, 2, \block + \field + \quarter
    .fill 4, 2, \block + \field + \quarter + 2
    .endr
    .endr
    .endr
/* double words of a block's d, and by quarters of the blocks' -dmin */
.Lsteps:
    .irp block, 0, 2, 4, 6
    .fill 16, 4, \block
    .endr
.Lminima:
    .irp block, 1, 3, 5, 7
    .fill 4, 4, \block
    .endr
.Lnibbles: .fill 64, 1, 0x0f
.Lupper: .fill 64, 1, 0xf0

.macro load_constants
    mov eax, 0x03030303
    vpbroadcastd zmm30, eax
    mov eax, 0x0c0c0c0c
    vpbroadcastd zmm31, eax
    mov eax, 0x55555555
    kmovd k1, eax
    kunpckdq k1, k1, k1
    mov eax, 0xf0
    kmovd k2, eax
    mov eax, 0xf00
    kmovd k3, eax
    mov eax, 0xf000
    kmovd k4, eax
.endm

.macro load_weights base, offset
    vbroadcasti32x4 zmm20, [\base + \offset]
    vmovdqu64 zmm16, [\base + \offset + 16]
    vmovd xmm24, dword ptr [\base + \offset + 80]
    vbroadcasti32x4 zmm21, [\base + \offset + 84]
    vmovdqu64 zmm17, [\base + \offset + 100]
    vmovd xmm25, dword ptr [\base + \offset + 164]
    vbroadcasti32x4 zmm22, [\base + \offset + 168]
    vmovdqu64 zmm18, [\base + \offset + 184]
    vmovd xmm26, dword ptr [\base + \offset + 248]
    vbroadcasti32x4 zmm23, [\base + \offset + 252]
    vmovdqu64 zmm19, [\base + \offset + 268]
    vmovd xmm27, dword ptr [\base + \offset + 332]
.endm

.macro dot_into number, source
    vfmadd231ps zmm\number, zmm14, \source
.endm

.macro fields codes, number, activations
    vpandd zmm28, zmm\codes, zmm30
    vpandd zmm29, zmm\codes, zmm31
    vpxor xmm12, xmm12, xmm12
    vpxor xmm13, xmm13, xmm13
    vpdpbusd zmm12, zmm28, [rsi + \activations]
    vpdpbusd zmm13, zmm29, [rsi + \activations + 64]
    vmovdqa64 zmm14, [rip + .Lspread + 64 * \number]
    vpermb zmm14{k1}{z}, zmm14, zmm10
    vpackssdw zmm12, zmm12, zmm13
    vpdpwssd zmm11, zmm12, zmm14
.endm

.macro block number, codes
    vpxor xmm11, xmm11, xmm11
    fields \codes, %(2 * \number), %(256 * \number)
    vpsrlw zmm15, zmm\codes, 4
    fields 15, %(2 * \number + 1), %(256 * \number + 128)
    vcvtdq2ps zmm11, zmm11
    vmovdqa64 zmm14, [rip + .Lsteps + 64 * \number]
    vpermps zmm14, zmm14, zmm9
    dot zmm11
.endm

.macro group
    vpblendmd zmm8{k2}, zmm20, zmm21
    vmovdqa32 zmm8{k3}, zmm22
    vmovdqa32 zmm8{k4}, zmm23
    vpunpckldq xmm14, xmm24, xmm25
    vpunpckldq xmm15, xmm26, xmm27
    vpunpcklqdq xmm15, xmm14, xmm15
    vcvtph2ps ymm9, xmm15
    vmulps ymm9, ymm9, [rsi + SCALES]
    vpandd zmm10, zmm8, [rip + .Lnibbles]
    block 0, 16
    block 1, 17
    block 2, 18
    block 3, 19
    vpandd zmm12, zmm8, [rip + .Lupper]
    vpsrlw zmm13, zmm8, 4
    vpandd zmm13, zmm13, [rip + .Lnibbles]
    vpxor xmm11, xmm11, xmm11
    vpdpbusd zmm11, zmm12, [rsi + HIGH]
    vpdpbusd zmm11, zmm13, [rsi + LOW]
    vcvtdq2ps zmm11, zmm11
    vmovdqa64 zmm14, [rip + .Lminima]
    vpermps zmm14, zmm14, zmm9
    dot zmm11
.endm

    sequence_functions
#else
#include "micro/families/blocks/block256.h"

enum { BLOCKS = 4, BLOCK_BYTES = 84, MINIMA = 4 /* dot product; before it, one a block */ };

static const struct block256 row = {1, 16, 2};

/** Lanes 0 and 1 of a quarter have its fields 0 and 2, lanes 2 and 3 its fields 1 and 3 times four; eight bytes each. */
static void refer_codes(const struct sequence_data *data, uint32_t number, void *sum, double *magnitudes)
{
    const uint8_t *block = data->weights + number * BLOCK_BYTES;
    double scale = block256_half(row, block, 0, 0) * blocks_float(data->activations + SCALES + 8 * number);
    for (uint32_t byte = 0; byte < 64; byte++) {
        for (uint32_t field = 0; field < 4; field++) {
            uint32_t group = byte / 32 * 8 + field * 2 + byte / 16 % 2;
            uint32_t code = blocks_code(block, block256_position(row, 0, group, byte % 16), 2);
            int8_t a = (int8_t)data->activations[256 * number + 64 * field + byte];
            double value = scale * (field % 2 ? 4 : 1) * (block256_byte(row, block, 0, group) & 15) * code * a;
            blocks_add(sum, magnitudes, byte / 16 * 4 + field % 2 * 2 + byte / 8 % 2, value, fabs(value));
        }
    }
}

/** Lane 4 b + i has the minima of groups 4 i … 4 i + 3 of block b. */
static void refer_minima(const struct sequence_data *data, void *sum, double *magnitudes)
{
    for (uint32_t byte = 0; byte < 16 * BLOCKS; byte++) {
        const uint8_t *block = data->weights + byte / 16 * BLOCK_BYTES;
        double scale = block256_half(row, block, 0, 1) * blocks_float(data->activations + SCALES + byte / 16 * 8);
        int32_t low = (int8_t)data->activations[LOW + byte], high = (int8_t)data->activations[HIGH + byte];
        double value = -scale * (block256_byte(row, block, 0, byte % 16) >> 4) * (16 * high + low);
        blocks_add(sum, magnitudes, byte / 4, value, fabs(value));
    }
}

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    if (dot == MINIMA)
        refer_minima(data, sum, magnitudes);
    else
        refer_codes(data, dot, sum, magnitudes);
}

/** Sum of the activations of a group of a block: they lie as its codes do. */
static int32_t sum_of(const int8_t *a, uint32_t block, uint32_t group)
{
    int32_t sum = 0;
    for (uint32_t k = 0; k < 16; k++)
        sum += a[256 * block + group % 8 / 2 * 64 + group / 8 * 32 + group % 2 * 16 + k];
    return sum;
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    uint8_t codes[80 * BLOCKS], scales[4 * BLOCKS];
    uint64_t state = seed;
    blocks_draw(codes, sizeof codes, (int8_t *)activations, LOW, seed);
    blocks_draw_scales(scales, 2 * BLOCKS, &state);
    for (uint32_t block = 0; block < BLOCKS; block++) {
        memcpy(weights + block * BLOCK_BYTES, codes + 80 * block, 80);
        memcpy(weights + block * BLOCK_BYTES + 80, scales + 4 * block, 4);
        double scale = 0.001 * (double)(1 + sequence_random(&state) % 100);
        blocks_put_float(activations + SCALES + 8 * block, scale, 1);
        blocks_put_float(activations + SCALES + 8 * block + 4, -scale, 1);
        for (uint32_t group = 0; group < 16; group++) {
            int32_t sum = sum_of((const int8_t *)activations, block, group), high = (sum + 2056) / 16 - 128;
            activations[HIGH + 16 * block + group] = (uint8_t)high;
            activations[LOW + 16 * block + group] = (uint8_t)(sum - 16 * high);
        }
    }
}
#endif
