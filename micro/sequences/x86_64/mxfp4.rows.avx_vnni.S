/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MXFP4 as GGUF files have it, a row at a time: block32_rows.avx_vnni.inc. A load that repeats the 16 bytes and one shift by 0 and 4 bits part the
 * nibbles, a byte shuffle looks up twice the value, 12 more. The scale, halved, is a load from a table of all bytes.
 * Of a block: 1 shift, 1 AND, 1 vpshufb, 1 vpdpbusd, 1 conversion, 1 product of scales, 1 multiply-add.
 * Golden Cove: 5 on p01, 1 on p15 (vpshufb), 1 anywhere: 7 uops on three ports, 2.5 cycles per output vector, bound by p01.
 * 10 uops issued: 7 of arithmetic, 3 loads.
 *
 *   ymm0-3 accumulators   ymm8 values   ymm10 nibbles   ymm12 shifts   ymm13 mask 0x0f   eax byte of the scale   rcx table
 *   the others: block32_rows.avx_vnni.inc
 */
#define FORMAT           "mxfp4"
#define SEQUENCE         "rows"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            17.0
#define GROUP_DOTS       1
#define GROUP_UOPS       10
#define GROUP_VECTORS    1
#define LEAST            1
#define MOST             4
#define WEIGHT_BYTES     17
#define ACTIVATION_BYTES 96
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/sequences/x86_64/block32_rows.avx_vnni.inc"

#include "micro/sequences/x86_64/mxfp4.half_scales.inc"
    .section .rodata
    .balign 32
.Lshifts: .long 0, 0, 0, 0, 4, 4, 4, 4
.Lvalues: .byte 12, 13, 14, 15, 16, 18, 20, 24, 12, 11, 10, 9, 8, 6, 4, 0

.macro load_constants
    vmovdqu ymm15, [rsi]
    lea rcx, [rip + .Lhalf_scales]
    vmovdqa ymm12, [rip + .Lshifts]
    mov eax, 0x0f0f0f0f
    vmovd xmm13, eax
    vpbroadcastd ymm13, xmm13
    vbroadcasti128 ymm8, [rip + .Lvalues]
.endm

.macro load_weights base, offset
    movzx eax, byte ptr [\base + \offset]
    vbroadcasti128 ymm10, [\base + \offset + 1]
.endm

.macro codes
    vpsrlvd ymm5, ymm10, ymm12
    vpand ymm5, ymm5, ymm13
    vpshufb ymm5, ymm8, ymm5
.endm

.macro scale
    vbroadcastss ymm6, dword ptr [rcx + 4 * rax]
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
    block32_fill_row_starts(activations, 12);
}
#endif
