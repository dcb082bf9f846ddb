/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nvfp4, four blocks of one row as they are stored. The 32 bytes of codes of each are repeated in a register and one shift by 0 and 4 bits parts
 * them, a byte shuffle looks up twice the value, 12 more, which the sums begin short of. Sums of a block are packed with those of its
 * neighbour and added in pairs, then packed and added once more, until 16 words are the 16 groups. vpermi2d brings the scales of four
 * blocks together, a byte shuffle to the lanes of their groups, one bit up, where a shift and an AND make them halves.
 * Of 256 columns: 4 of each shift, AND, vpshufb and vpdpbusd; 3 packs, 2 vpmaddwd, 1 vextracti64x4, 1 vpaddw, 2 to floats; of scales vpermi2d, vpshufb,
 * shift, AND, a conversion of two uops and a product; 1 multiply-add.
 * 39 uops issued: 33 of arithmetic, 1 copy, 5 loads. On four ports of Zen 5 1.03 cycles per output vector.
 *
 *   zmm0-7 accumulators   zmm8-11 sums   zmm12-15 codes   zmm16, zmm17 with scales   zmm18 values   zmm19 scales   zmm24 places of scales
 *   zmm25 ones   ymm26 0x3f80   ymm27 lanes of scales   zmm28 shifts   zmm29 scales of the activations   zmm30 values   zmm31 mask 0x0f
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            18.0
#define GROUP_DOTS       1
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             8
#define WEIGHT_BYTES     144
#define ACTIVATION_BYTES 768
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/formats/nvfp4/nvfp4_operand.h"

    .section .rodata
    .balign 64
.Lshifts: .quad 0, 0, 0, 0, 4, 4, 4, 4
.Lscales: .long 0, 9, 16, 25, 0, 9, 16, 25, 0, 0, 0, 0, 0, 0, 0, 0
.Lscale_lanes:
    .byte -1, 0, -1, 1, -1, 4, -1, 5, -1, 8, -1, 9, -1, 12, -1, 13
    .byte -1, 2, -1, 3, -1, 6, -1, 7, -1, 10, -1, 11, -1, 14, -1, 15
.Lvalues: .byte 12, 13, 14, 15, 16, 18, 20, 24, 12, 11, 10, 9, 8, 6, 4, 0

.macro load_constants
    mov eax, 0x0f0f0f0f
    vpbroadcastd zmm31, eax
    mov eax, 0x3f803f80
    vpbroadcastd ymm26, eax
    mov eax, 0x10001
    vpbroadcastd zmm25, eax
    vbroadcasti32x4 zmm30, [rip + .Lvalues]
    vmovdqa64 zmm28, [rip + .Lshifts]
    vmovdqa64 zmm24, [rip + .Lscales]
    vmovdqa64 ymm27, [rip + .Lscale_lanes]
.endm

.macro load_weights base, offset
    vmovdqu64 zmm16, [\base + \offset]
    vmovdqu64 zmm17, [\base + \offset + 72]
    vbroadcasti64x4 zmm12, [\base + \offset + 4]
    vbroadcasti64x4 zmm13, [\base + \offset + 40]
    vbroadcasti64x4 zmm14, [\base + \offset + 76]
    vbroadcasti64x4 zmm15, [\base + \offset + 112]
.endm

.macro dot_into number, source
    vfmadd231ps zmm\number, zmm19, \source
.endm

.macro block number, sums, codes
    vmovdqu64 zmm\sums, [rsi + NVFP4_BYTES * \number + NVFP4_STARTS]
    vpsrlvq zmm18, zmm\codes, zmm28
    vpandd zmm18, zmm18, zmm31
    vpshufb zmm18, zmm30, zmm18
    vpdpbusd zmm\sums, zmm18, [rsi + NVFP4_BYTES * \number]
.endm

.macro group
    block 0, 8, 12
    block 1, 9, 13
    block 2, 10, 14
    block 3, 11, 15
    vpackssdw zmm8, zmm8, zmm9
    vpmaddwd zmm8, zmm8, zmm25
    vpackssdw zmm10, zmm10, zmm11
    vpmaddwd zmm10, zmm10, zmm25
    vpackssdw zmm8, zmm8, zmm10
    vextracti64x4 ymm9, zmm8, 1
    vpaddw ymm8, ymm8, ymm9
    vpmovsxwd zmm8, ymm8
    vcvtdq2ps zmm8, zmm8
    vmovdqa64 zmm19, zmm24
    vpermi2d zmm19, zmm16, zmm17
    vpshufb ymm19, ymm19, ymm27
    vpsrlw ymm19, ymm19, 1
    vpandd ymm19, ymm19, ymm26
    vcvtph2ps zmm19, ymm19
    vbroadcastf32x8 zmm29, [rsi + NVFP4_FOUR_SCALES]
    vmulps zmm19, zmm19, zmm29
    dot zmm8
.endm

    sequence_functions
#else
#include "micro/formats/nvfp4/nvfp4.h"

/** Lanes 0 to 7 are groups 0 and 1 of each block, lanes 8 to 15 groups 2 and 3. Activations: those of four blocks, each as nvfp4.rows has them. */
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    for (uint32_t lane = 0; lane < 16; lane++) {
        uint32_t block = lane % 8 / 2, group = lane / 8 * 2 + lane % 2;
        const uint8_t *weights = data->weights + 36 * block;
        const int8_t *a = (const int8_t *)data->activations + NVFP4_BYTES * block + 8 * group;
        double scale = blocks_float(data->activations + NVFP4_FOUR_SCALES + 8 * block) / 128;
        struct nvfp4_lane whole = {0, 0};
        for (uint32_t k = 0; k < 16; k++)
            nvfp4_add(&whole, weights[group], nvfp4_code(weights, 16 * group + k), a[k / 8 * 32 + k % 8], scale);
        blocks_add(sum, magnitudes, lane, whole.value, whole.magnitude);
    }
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    for (uint32_t block = 0; block < 4; block++) {
        uint8_t *a = activations + NVFP4_BYTES * block;
        nvfp4_fill_row(weights + 36 * block, a, 12, seed + 8 * block);
        blocks_put_float(activations + NVFP4_FOUR_SCALES + 8 * block, blocks_float(a + NVFP4_SCALE), 2);
    }
}
#endif
