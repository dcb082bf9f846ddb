/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nvfp4_m16, 64 columns of 16 rows whose lanes are rows: twice the values are looked up, 12 more; of a group of 16 columns a conversion of its sums, one of its
 * scales, which a shift and an AND make halves, and a multiply-add; of the four one more with the scale of the activations. 
 * 90 uops issued: 85 of arithmetic, 5 loads.
 *
 *   zmm0-9 accumulators   zmm16-23 lines   xmm10-13 scales   zmm24 sums   zmm25 sums of groups   zmm26 values, scales   zmm28 0x3f80   zmm30 values   zmm31 mask 0x0f
 */
#define FORMAT           "nvfp4_m16"
#define SEQUENCE         "lanes"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            18.0
#define GROUP_DOTS       1
#define GROUP_UOPS       90
#define GROUP_VECTORS    32
#define LEAST            1
#define MOST             10
#define WEIGHT_BYTES     576
#define ACTIVATION_BYTES 192
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/sequences/nvfp4_operand.h"

    .section .rodata
    .balign 16
.Lvalues: .byte 12, 13, 14, 15, 16, 18, 20, 24, 12, 11, 10, 9, 8, 6, 4, 0

.macro load_constants
    mov eax, 0x0f0f0f0f
    vpbroadcastd zmm31, eax
    mov eax, 0x3f803f80
    vpbroadcastd ymm28, eax
    vbroadcasti32x4 zmm30, [rip + .Lvalues]
.endm

.macro load_scales register, base, offset
    vmovdqu xmm\register, [\base + \offset]
.endm

.macro load_line register, base, offset
    vmovdqu32 zmm\register, [\base + \offset]
.endm

.macro load_weights base, offset
    .irp number, 0, 1, 2, 3
    load_scales %(10 + \number), \base, %(\offset + 16 * \number)
    load_line %(16 + 2 * \number), \base, %(\offset + 64 + 128 * \number)
    load_line %(17 + 2 * \number), \base, %(\offset + 128 + 128 * \number)
    .endr
.endm

.macro dot_into number, source
    vfmadd231ps zmm\number, zmm26, \source
.endm

/* four columns, and the four that are eight further */
.macro line codes, at
    vpandd zmm26, zmm\codes, zmm31
    vpshufb zmm26, zmm30, zmm26
    vpdpbusd zmm24, zmm26, dword ptr [rsi + \at]{1to16}
    vpsrlw zmm26, zmm\codes, 4
    vpandd zmm26, zmm26, zmm31
    vpshufb zmm26, zmm30, zmm26
    vpdpbusd zmm24, zmm26, dword ptr [rsi + \at + 8]{1to16}
.endm

.macro scales_of register
    vpmovzxbw ymm26, xmm\register
.endm

.macro group_of number
    vpbroadcastd zmm24, dword ptr [rsi + NVFP4_GROUP_STARTS + 4 * \number]
    line %(16 + 2 * \number), %(16 * \number)
    line %(17 + 2 * \number), %(16 * \number + 4)
    vcvtdq2ps zmm24, zmm24
    scales_of %(10 + \number)
    vpsllw ymm26, ymm26, 7
    vpandd ymm26, ymm26, ymm28
    vcvtph2ps zmm26, ymm26
    .if \number
    vfmadd231ps zmm25, zmm24, zmm26
    .else
    vmulps zmm25, zmm24, zmm26
    .endif
.endm

.macro group
    .irp number, 0, 1, 2, 3
    group_of \number
    .endr
    vbroadcastss zmm26, dword ptr [rsi + NVFP4_SCALE]
    dot zmm25
.endm

    sequence_functions
#else
#include "micro/sequences/nvfp4.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    nvfp4_refer_lanes(data, 16, 4, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    nvfp4_fill_lanes(weights, activations, 16, 4, 12, seed);
}
#endif
