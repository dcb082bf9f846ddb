/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TQ2_0 (layout: micro/families/lookup/ternary_block.h) of four rows at the same columns, masks: a block is one register, one
 * shift brings its four fields to weight 1 or 4, and each weight has its sums, those of weight 4 starting from minus 4
 * times the activations. Joined they are four times the sum; the activations' scale takes the quarter. The blocks' scales
 * are converted together and come back from memory, one to all lanes. Each block 1 shift, 4 ANDs, 4 dot products, 2 loads
 * to start and 2 to join the sums, 2 to scale; 4 for the scales: 64 uops for 32 output vectors.
 * Golden Cove at 512 bits: 55 on p05: >= 0.86.
 *
 *   zmm0-3 accumulators   zmm4-8 temporaries   xmm9 scales of the blocks   zmm10, zmm11 masks 0x03, 0x0c
 *   xmm12 a quarter of the activations' scale   zmm28-31 weights   [rsp - 16] scales of the rows
 *   [rsi] struct ternary_activations, at 384 the activations by field, at 640 what the sums start from
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            8.25
#define GROUP_DOTS       4
#define GROUP_VECTORS    32
#define LEAST            1
#define MOST             4
#define WEIGHT_BYTES     264
#define ACTIVATION_BYTES 704
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-5
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

#define FIELDS 384
#define STARTS 640

    .section .rodata
    .balign 4
.Lquarter: .float 0.25
.Lzero: .long 0

.macro load_constants
    mov eax, 0x03030303
    vpbroadcastd zmm10, eax
    vpslld zmm11, zmm10, 2
    vbroadcastss xmm12, [rsi + 288]
    vmulps xmm12, xmm12, dword ptr [rip + .Lquarter]{1to4}
.endm

.macro load_weights base, offset
    .irp row, 0, 1, 2, 3
    load_row \row, \base, %(\offset + 66 * \row)
    .endr
.endm

.macro load_row row, base, offset
    load_block %(28 + \row), \base, \offset
    vpinsrw xmm9, xmm9, [\base + \offset + 64], \row
.endm

.macro load_block register, base, offset
    vmovdqu64 zmm\register, [\base + \offset]
.endm

.macro dot_into number, source
    vfmadd231ps zmm\number, \source
.endm

/* zeros are loaded: LLVM's model of the core does not know that vpxord makes them, and would chain the blocks */
.macro row register, scale
    vpbroadcastd zmm4, [rip + .Lzero]
    vmovdqu64 zmm5, [rsi + STARTS]
    vpandd zmm6, \register, zmm10
    vpandd zmm7, \register, zmm11
    vpsrlw zmm8, \register, 4
    vpdpbusd zmm4, zmm6, [rsi + FIELDS]
    vpdpbusd zmm5, zmm7, [rsi + FIELDS + 64]
    vpandd zmm6, zmm8, zmm10
    vpandd zmm7, zmm8, zmm11
    vpdpbusd zmm4, zmm6, [rsi + FIELDS + 128]
    vpdpbusd zmm5, zmm7, [rsi + FIELDS + 192]
    vpslld zmm4, zmm4, 2
    vpaddd zmm4, zmm4, zmm5
    vcvtdq2ps zmm4, zmm4
    dot zmm4, dword ptr [rsp - 16 + \scale]{1to16}
.endm

.macro group
    vcvtph2ps xmm4, xmm9
    vmulps xmm4, xmm4, xmm12
    vmovups [rsp - 16], xmm4
    row zmm28, 0
    row zmm29, 4
    row zmm30, 8
    row zmm31, 12
.endm

    sequence_functions

#else

#include "micro/families/lookup/ternary_block.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    ternary_row_of(data, dot, TQ2_0_BYTES, tq2_0_byte, tq2_0_code, sum, magnitude);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    int32_t starts[16] = {0};
    for (uint32_t row = 0; row < 4; row++)
        ternary_fill(weights + row * TQ2_0_BYTES, 64, 1, activations, seed + row);
    for (uint32_t weight = 0; weight < TERNARY_BLOCK; weight++) {
        uint32_t byte = tq2_0_byte(weight);
        activations[384 + weight % 128 / 32 * 64 + byte] = activations[weight];
        starts[byte / 4] -= 4 * (int8_t)activations[weight];
    }
    memcpy(activations + 640, starts, sizeof starts);
}

#endif
