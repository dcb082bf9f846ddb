/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q4_0, sixteen blocks of one row as they are stored: vpermw drops the scales that part the codes of four blocks (the
 * fourth block comes from a second load of the same 72 bytes), and since a block leaves four sums of at most
 * 15 * 127 * 8, two rounds of packing to 16 bits and adding pairs leave a lane for each of the sixteen blocks. One
 * conversion of sums, one of scales and one multiply-add serve them all; the last addition starts from -8 sum a.
 * Of 16 blocks: 8 vpermw, 4 blends, 4 shifts, 8 ANDs, 8 vpdpbusd, 3 packs, 3 vpmaddwd or vpdpwssd, 5 of scales and sums.
 * Golden Cove at 512 bits: 43 on p05 (13 of them on p5 only): 21.5 cycles, 1.34 per output vector.
 *
 *   zmm0-11 accumulators   zmm12-15 sums of four blocks   zmm16-19 bytes 0 to 63 of 72   zmm20-23 bytes 8 to 71
 *   zmm24 codes   zmm25 high codes   zmm26 scales   zmm27 words of codes   zmm28 words of scales   zmm29 mask 0x0f
 *   zmm30 ones   k1 last quarter   k2-k4 the scales of groups 1-3
 */
#define FORMAT           "q4_0"
#define SEQUENCE         "blocks16"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            18.0
#define GROUP_DOTS       1
#define GROUP_UOPS       48
#define GROUP_VECTORS    16
#define LEAST            1
#define MOST             12
#define WEIGHT_BYTES     288
#define ACTIVATION_BYTES 640 /* [group][nibble][quarter][16] int8; from OFFSET -8 sum a, from SCALE the scale, by lane */
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
.Lcodes:
    .irp block, 0, 9, 18
    .irp word, 1, 2, 3, 4, 5, 6, 7, 8
    .word \block + \word
    .endr
    .endr
    .fill 8, 2, 0
.Lscales:
    .irp block, 0, 9, 18, 27
    .fill 4, 2, \block
    .endr
    .fill 16, 2, 0

.macro load_constants
    vmovdqa64 zmm27, [rip + .Lcodes]
    vmovdqa64 zmm28, [rip + .Lscales]
    mov eax, 0x0f0f0f0f
    vpbroadcastd zmm29, eax
    mov eax, 0x10001
    vpbroadcastd zmm30, eax
    mov eax, 0xf000
    kmovd k1, eax
    mov eax, 0x2222
    kmovd k2, eax
    mov eax, 0x4444
    kmovd k3, eax
    mov eax, 0x8888
    kmovd k4, eax
.endm

.macro load_weights base, offset
    vmovdqu64 zmm16, [\base + \offset]
    vmovdqu64 zmm20, [\base + \offset + 8]
    vmovdqu64 zmm17, [\base + \offset + 72]
    vmovdqu64 zmm21, [\base + \offset + 80]
    vmovdqu64 zmm18, [\base + \offset + 144]
    vmovdqu64 zmm22, [\base + \offset + 152]
    vmovdqu64 zmm19, [\base + \offset + 216]
    vmovdqu64 zmm23, [\base + \offset + 224]
.endm

.macro dot_into number, source
    vfmadd231ps zmm\number, zmm26, \source
.endm

.macro blocks number, sums, first, second
    vpermw zmm24, zmm27, zmm\first
    vmovdqa32 zmm24{k1}, zmm\second
    vpsrlw zmm25, zmm24, 4
    vpandd zmm24, zmm24, zmm29
    vpandd zmm25, zmm25, zmm29
    vpxord zmm\sums, zmm\sums, zmm\sums
    vpdpbusd zmm\sums, zmm24, [rsi + 128 * \number]
    vpdpbusd zmm\sums, zmm25, [rsi + 128 * \number + 64]
.endm

.macro group
    blocks 0, 12, 16, 20
    vpermw zmm26, zmm28, zmm16
    blocks 1, 13, 17, 21
    vpermw zmm26{k2}, zmm28, zmm17
    blocks 2, 14, 18, 22
    vpermw zmm26{k3}, zmm28, zmm18
    blocks 3, 15, 19, 23
    vpermw zmm26{k4}, zmm28, zmm19
    vpackssdw zmm12, zmm12, zmm13
    vpackssdw zmm14, zmm14, zmm15
    vpmaddwd zmm12, zmm12, zmm30
    vpmaddwd zmm14, zmm14, zmm30
    vpackssdw zmm12, zmm12, zmm14
    vmovdqu64 zmm13, [rsi + OFFSET]
    vpdpwssd zmm13, zmm12, zmm30
    vcvtdq2ps zmm13, zmm13
    vcvtph2ps zmm26, ymm26
    vmulps zmm26, zmm26, [rsi + SCALE]
    dot zmm13
.endm

    sequence_functions
#else
#include "micro/sequences/block32.h"

enum { BLOCKS = 16, BLOCK_BYTES = 18 };

/** Lane 4 i + g is block 4 g + i: its two bytes of scale, then byte j with columns j (low) and j + 16 (high). */
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    for (uint32_t lane = 0; lane < BLOCKS; lane++) {
        uint32_t group = lane % 4, quarter = lane / 4;
        const uint8_t *block = data->weights + (4 * group + quarter) * BLOCK_BYTES;
        double scale = blocks_half(block) * blocks_float(data->activations + SCALE + 4 * lane), magnitude = 0;
        int32_t products = 0;
        for (uint32_t k = 0; k < 32; k++) {
            int8_t a = (int8_t)data->activations[128 * group + k / 16 * 64 + 16 * quarter + k % 16];
            int32_t product = block32_offset8[blocks_code(block, block32_position(BLOCK32_ROW, 8, 0, k), 4)] * a;
            products += product;
            magnitude += fabs(scale * product);
        }
        blocks_add(sum, magnitudes, lane, scale * products, magnitude);
    }
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    uint8_t codes[16 * BLOCKS], scales[2 * BLOCKS];
    uint64_t state = seed;
    blocks_draw(codes, sizeof codes, (int8_t *)activations, OFFSET, seed);
    blocks_draw_scales(scales, BLOCKS, &state);
    for (uint32_t block = 0; block < BLOCKS; block++) {
        const int8_t *a = (const int8_t *)activations + 128 * (block / 4) + 16 * (block % 4);
        uint32_t lane = block % 4 * 4 + block / 4;
        int32_t total = 0;
        for (uint32_t k = 0; k < 32; k++)
            total += a[k / 16 * 64 + k % 16];
        memcpy(weights + block * BLOCK_BYTES, scales + 2 * block, 2);
        memcpy(weights + block * BLOCK_BYTES + 2, codes + 16 * block, 16);
        blocks_put_int32(activations + OFFSET + 4 * lane, -8 * total, 1);
        blocks_put_float(activations + SCALE + 4 * lane, 0.001 * (double)(1 + sequence_random(&state) % 100), 1);
    }
}
#endif
