/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MXFP4 as GGUF files have it, a row at a time: a load that repeats the 16 bytes and one shift by 0 and 4 bits part the
 * nibbles, a byte shuffle looks up twice the value, signed times signed is vpabsb and vpsignb before vpmaddubsw. The scale,
 * halved, is a load from a table of all bytes.
 * Of a block: 1 shift, 1 AND, 1 vpshufb, vpabsb, vpsignb, vpmaddubsw, vpmaddwd, 1 conversion, 1 product of scales, 1 multiply-add.
 * Golden Cove: 6 on p01 (shift, products, conversion, scales), 3 on p15 (byte shuffle, vpabsb, vpsignb), 1 anywhere: 10 uops on
 * three ports, 3.33 cycles per output vector. 12 uops issued: 10 of arithmetic, 2 loads.
 *
 *   ymm0-3 accumulators   ymm4 values   ymm5 magnitudes, products   ymm6 scales   ymm7 of the activations: signed, scale   ymm8 values
 *   ymm10 nibbles   ymm11 ones   ymm12 shifts   ymm13 mask 0x0f   ymm15 activations   eax byte of the scale   rcx table
 */
#define FORMAT           "mxfp4"
#define SEQUENCE         "rows"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            17.0
#define GROUP_DOTS       1
#define GROUP_UOPS       12
#define GROUP_VECTORS    1
#define LEAST            1
#define MOST             4
#define WEIGHT_BYTES     17
#define ACTIVATION_BYTES 64
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/sequences/x86_64/mxfp4.half_scales.inc"
.Lshifts: .long 0, 0, 0, 0, 4, 4, 4, 4
.Lvalues: .byte 0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12

.macro load_constants
    vmovdqu ymm15, [rsi]
    vmovdqu ymm12, [rip + .Lshifts]
    vbroadcasti128 ymm8, [rip + .Lvalues]
    lea rcx, [rip + .Lhalf_scales]
    mov eax, 0x0f0f0f0f
    vmovd xmm13, eax
    vpbroadcastd ymm13, xmm13
    mov eax, 0x10001
    vmovd xmm11, eax
    vpbroadcastd ymm11, xmm11
.endm

.macro load_weights base, offset
    movzx eax, byte ptr [\base + \offset]
    vbroadcasti128 ymm10, [\base + \offset + 1]
.endm

.macro dot_into number, source
    vfmadd231ps ymm\number, ymm6, \source
.endm

.macro group
    vpsrlvd ymm4, ymm10, ymm12
    vpand ymm4, ymm4, ymm13
    vpshufb ymm4, ymm8, ymm4
    vpabsb ymm5, ymm4
    vpsignb ymm7, ymm15, ymm4
    vpmaddubsw ymm5, ymm5, ymm7
    vpmaddwd ymm5, ymm5, ymm11
    vcvtdq2ps ymm5, ymm5
    vbroadcastss ymm6, dword ptr [rcx + 4 * rax]
    vbroadcastss ymm7, dword ptr [rsi + 36]
    vmulps ymm6, ymm6, ymm7
    dot ymm5
.endm

    sequence_functions
#else
#include "micro/sequences/mxfp4_row.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    mxfp4_refer_row(data, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    mxfp4_fill_row(weights, activations, seed);
}
#endif
