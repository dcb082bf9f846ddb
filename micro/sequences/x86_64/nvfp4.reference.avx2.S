/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nvfp4, a row at a time as llama.cpp has it: nibbles.reference.inc, then two unpacks and an insertion bring values into the order of their
 * columns. Scales, halved, come from a table, are multiplied one by one and spread over the half of a register that their group has.
 * Of a block: 2 each of shift, vpshufb of low and of high nibbles, 4 ANDs, 4 unpacks, 2 vinserti128, 2 of each vpabsb, vpsignb, vpmaddubsw,
 * vpmaddwd and conversion; 4 products of scales, 4 to spread them, 2 insertions, 2 multiply-adds.
 * Golden Cove: 38 uops on three ports, 6.33 cycles per output vector. 44 uops issued: 38 of arithmetic, 6 loads.
 *
 *   ymm0-3 accumulators   ymm4, ymm5 values, products   ymm6, ymm7 signed activations, scales   ymm9 values in order
 *   ymm10, ymm12 nibbles   ymm14, ymm15 activations   rcx table   rax, rdx byte of a scale   r11 weights   the others: nibbles.reference.inc
 */
#define FORMAT           "nvfp4"
#define SEQUENCE         "reference"
#define ORIGIN           "llama.cpp"
#define CLAIMED          0.0
#define BYTES            18.0
#define GROUP_DOTS       2
#define GROUP_UOPS       44
#define GROUP_VECTORS    2
#define LEAST            1
#define MOST             4
#define WEIGHT_BYTES     36
#define ACTIVATION_BYTES 72
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
    .section .rodata
    .balign 64
.Lhalf_scales:
    .set coded, 0
    .rept 256
    .if coded / 8 % 16
    .long (coded / 8 % 16 + 119) << 23 | coded % 8 << 20
    .elseif coded % 8
    .set leading, (coded % 8 >= 2) + (coded % 8 >= 4)
    .set leading, 0 - leading
    .long (leading + 117) << 23 | (coded % 8 - (1 << leading)) << (23 - leading)
    .else
    .long 0
    .endif
    .set coded, coded + 1
    .endr
.Lvalues: .byte 0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12
#include "micro/sequences/x86_64/nibbles.reference.inc"

.macro load_constants
    nibble_constants
    vmovdqu ymm14, [rsi]
    vmovdqu ymm15, [rsi + 32]
    lea rcx, [rip + .Lhalf_scales]
.endm

.macro load_weights base, offset
    lea r11, [\base + \offset]
    vmovdqu xmm10, [\base + \offset + 4]
    vmovdqu xmm12, [\base + \offset + 20]
.endm

.macro dot_into number, source
    vfmadd231ps ymm\number, ymm6, \source
.endm

.macro groups number, nibbles, activations
    nibble_values 4, 5, \nibbles
    vpunpcklqdq xmm9, xmm4, xmm5
    vpunpckhqdq xmm4, xmm4, xmm5
    vinserti128 ymm9, ymm9, xmm4, 1
    signed_products 5, 9, 7, \activations
    movzx eax, byte ptr [r11 + 2 * \number]
    movzx edx, byte ptr [r11 + 2 * \number + 1]
    vmovss xmm4, dword ptr [rsi + 64 + 4 * \number]
    vmulss xmm6, xmm4, dword ptr [rcx + 4 * rax]
    vmulss xmm7, xmm4, dword ptr [rcx + 4 * rdx]
    vbroadcastss xmm6, xmm6
    vbroadcastss xmm7, xmm7
    vinsertf128 ymm6, ymm6, xmm7, 1
    dot ymm5
.endm

.macro group
    groups 0, 10, 14
    groups 1, 12, 15
.endm

    sequence_functions
#else
#include "micro/sequences/nvfp4.h"

enum { SCALES_AT = 64 };

/** Dot g has groups 2 g and 2 g + 1; lane l columns 4 l to 4 l + 3 of the two. */
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    const int8_t *a = (const int8_t *)data->activations;
    double scale = blocks_float(data->activations + SCALES_AT + 4 * dot);
    for (uint32_t lane = 0; lane < 8; lane++) {
        struct nvfp4_lane whole = {0, 0};
        for (uint32_t column = 32 * dot + 4 * lane; column < 32 * dot + 4 * lane + 4; column++)
            nvfp4_add(&whole, data->weights[column / 16], nvfp4_code(data->weights, column), a[column], scale);
        blocks_add(sum, magnitudes, lane, whole.value, whole.magnitude);
    }
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    uint64_t state = seed;
    blocks_draw(weights + 4, 32, (int8_t *)activations, SCALES_AT, seed);
    for (uint32_t group = 0; group < 4; group++)
        weights[group] = (uint8_t)(1 + sequence_random(&state) % 0x7e);
    for (uint32_t i = 0; i < 2; i++)
        blocks_put_float(activations + SCALES_AT + 4 * i, 0.001 * (double)(1 + sequence_random(&state) % 100), 1);
}
#endif
