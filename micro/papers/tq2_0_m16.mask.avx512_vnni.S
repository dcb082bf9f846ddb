/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TQ2_0 in panels of 16 rows (layout: micro/families/lookup/ternary_block.h): a double word of a register is four bytes of
 * one row, so that the activations are broadcast and a block's scales meet its sums once in 128 output vectors. Each
 * field of a byte stays in its place and has its own 32-bit sums, joined by shifts: 64 times the sum, below 2^23, of
 * which the activations' scale takes its part. The last sums start from minus 64 times the sum of the activations. 64
 * ANDs, 64 dot products, 4 loads to start and 6 to join the sums, 5 for the scales: 143 uops for 128 output vectors.
 * Golden Cove at 512 bits: 140 on p05 (vcvtph2ps p0 + p5): >= 0.55. 0.50 are ANDs and dot products.
 *
 *   zmm0, zmm1 accumulators   zmm2-5 sums of the fields   zmm6-8 temporaries   zmm9 blocks' scales   zmm10-13 masks
 *   zmm14 activations' scale / 64   ymm15 scales   zmm16-31 weights   [rsi] struct ternary_activations
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            8.25
#define GROUP_DOTS       1
#define GROUP_VECTORS    128
#define LEAST            1
#define MOST             2
#define WEIGHT_BYTES     1056
#define ACTIVATION_BYTES 332
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-5
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

    .section .rodata
    .balign 4
.Lsixty_fourth: .float 0.015625
.Lzero: .long 0

.macro load_constants
    mov eax, 0x03030303
    vpbroadcastd zmm10, eax
    vpslld zmm11, zmm10, 2
    vpslld zmm12, zmm10, 4
    vpslld zmm13, zmm10, 6
    vbroadcastss zmm14, [rsi + 288]
    vmulps zmm14, zmm14, dword ptr [rip + .Lsixty_fourth]{1to16}
.endm

.macro load_weights base, offset
    .irp quad, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    load_quad %(16 + \quad), \base, %(\offset + 64 * \quad)
    .endr
    vmovdqu ymm15, [\base + \offset + 1024]
.endm

.macro load_quad register, base, offset
    vmovdqu64 zmm\register, [\base + \offset]
.endm

.macro dot_into number, source
    vfmadd231ps zmm\number, \source, zmm9
.endm

/* four bytes of each row: weights of four fields, 32 apart */
.macro fields register, activations
    vpandd zmm6, zmm\register, zmm10
    vpandd zmm7, zmm\register, zmm11
    vpandd zmm8, zmm\register, zmm12
    vpandd zmm9, zmm\register, zmm13
    vpdpbusd zmm2, zmm6, dword ptr [rsi + \activations]{1to16}
    vpdpbusd zmm3, zmm7, dword ptr [rsi + \activations + 32]{1to16}
    vpdpbusd zmm4, zmm8, dword ptr [rsi + \activations + 64]{1to16}
    vpdpbusd zmm5, zmm9, dword ptr [rsi + \activations + 96]{1to16}
.endm

/* zeros are loaded: LLVM's model of the core does not know that vpxord makes them, and would chain the blocks */
.macro group
    vpbroadcastd zmm2, [rip + .Lzero]
    vpbroadcastd zmm3, [rip + .Lzero]
    vpbroadcastd zmm4, [rip + .Lzero]
    vpbroadcastd zmm5, [rsi + 328]
    .irp quad, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    fields %(16 + \quad), %(\quad / 8 * 128 + \quad % 8 * 4)
    .endr
    vcvtph2ps zmm9, ymm15
    vpslld zmm2, zmm2, 6
    vpslld zmm3, zmm3, 4
    vpslld zmm4, zmm4, 2
    vpaddd zmm2, zmm2, zmm3
    vpaddd zmm4, zmm4, zmm5
    vmulps zmm9, zmm9, zmm14
    vpaddd zmm2, zmm2, zmm4
    vcvtdq2ps zmm2, zmm2
    dot zmm2
.endm

    sequence_functions

#else

#include "micro/families/lookup/ternary_block.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)dot;
    ternary_panel(data, tq2_0_byte, tq2_0_code, 1024, sum, magnitude);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    ternary_fill(weights, 1024, 16, activations, seed);
}

#endif
