/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nvfp4, a block of one row as it is stored: its 32 bytes of codes are repeated in a register and one shift by 0 and 4 bits parts them, a byte
 * shuffle looks up twice the value, 12 more. A byte shuffle brings scales to the lanes of their groups, one bit up, where a shift and an AND make
 * them halves.
 * 13 uops issued: 12 of arithmetic, 1 load. On two ports of Golden Cove at 512 bits 3 cycles per output vector, on four of Zen 5 1.5.
 *
 *   zmm0-11 accumulators   zmm16 codes   ymm17 scales   zmm18 sums   zmm19 values   zmm20 scales   ymm26 0x3f80   zmm27 lanes of scales   zmm28 shifts   zmm30 values
 *   zmm31 mask 0x0f
 */
#define FORMAT           "nvfp4"
#define SEQUENCE         "rows"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            18.0
#define GROUP_DOTS       1
#define GROUP_UOPS       13
#define GROUP_VECTORS    2
#define LEAST            1
#define MOST             12
#define WEIGHT_BYTES     36
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
    .balign 64
.Lshifts: .quad 0, 0, 0, 0, 4, 4, 4, 4
.Lscale_lanes:
    .rept 2
    .byte -1, 0, -1, 0, -1, 1, -1, 1, -1, 2, -1, 2, -1, 3, -1, 3
    .endr
.Lvalues: .byte 12, 13, 14, 15, 16, 18, 20, 24, 12, 11, 10, 9, 8, 6, 4, 0

.macro load_constants
    mov eax, 0x0f0f0f0f
    vpbroadcastd zmm31, eax
    mov eax, 0x3f803f80
    vpbroadcastd ymm26, eax
    vbroadcasti32x4 zmm30, [rip + .Lvalues]
    vmovdqa64 zmm28, [rip + .Lshifts]
    vmovdqa64 ymm27, [rip + .Lscale_lanes]
.endm

.macro load_weights base, offset
    vpbroadcastd ymm17, [\base + \offset]
    vbroadcasti64x4 zmm16, [\base + \offset + 4]
.endm

.macro dot_into number, source
    vfmadd231ps zmm\number, zmm20, \source
.endm

.macro group
    vmovdqu64 zmm18, [rsi + NVFP4_STARTS]
    vpsrlvq zmm19, zmm16, zmm28
    vpandd zmm19, zmm19, zmm31
    vpshufb zmm19, zmm30, zmm19
    vpdpbusd zmm18, zmm19, [rsi]
    vcvtdq2ps zmm18, zmm18
    vpshufb ymm20, ymm17, ymm27
    vpsrlw ymm20, ymm20, 1
    vpandd ymm20, ymm20, ymm26
    vcvtph2ps zmm20, ymm20
    vmulps zmm20, zmm20, dword ptr [rsi + NVFP4_SCALE]{1to16}
    dot zmm18
.endm

    sequence_functions
#else
#include "micro/sequences/nvfp4.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    nvfp4_refer_row(data, 64, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    nvfp4_fill_row(weights, activations, 12, seed);
}
#endif
