/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q6_k, a block of one row as it is stored, as q6_k.rows.avx512_vnni with half the width: fields of 32 columns are shifted and masked, four
 * products start from -32 times their activations, and the sums of two fields are packed to 16 bits and scaled by one vpdpwssd.
 * A block: 10 shifts, 16 ANDs, 8 ORs, 8 vpdpbusd, 4 vpackssdw, 5 vpshufb, 4 vpdpwssd, 7 of scales and sums.
 * Golden Cove: 62 on three ports, 2.58 cycles per output vector. 71 uops issued: 62 of arithmetic, 9 loads.
 *
 *   ymm0, ymm1 accumulators   ymm2 sums of a block   ymm3 scales   ymm4, ymm5 sums of fields   ymm6, ymm7 codes; scales of lanes, d
 *   ymm8-11 lower bits   ymm12, ymm13 upper bits   xmm14 scales   xmm15 d
 */
#define FORMAT           "q6_k"
#define SEQUENCE         "rows"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            26.25
#define GROUP_DOTS       1
#define GROUP_UOPS       71
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             2
#define WEIGHT_BYTES     210
#define ACTIVATION_BYTES 640
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/sequences/q6_k_operand.h"

    .section .rodata
    .balign 32
.Lspread: /* words of the scales of fields 2 n and 2 n + 1 */
    .irp pair, 0, 4, 8, 12
    .rept 2
    .fill 4, 2, \pair * 257 + 256
    .fill 4, 2, \pair * 257 + 770
    .endr
    .endr
.Llow: .fill 32, 1, 0x0f
.Lhigh: .fill 32, 1, 0x30
.Lzero: .fill 32, 1, 0
.Lorder: .byte 0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15

.macro load_constants
.endm

.macro load_weights base, offset
    vmovdqu ymm8, [\base + \offset]
    vmovdqu ymm9, [\base + \offset + 32]
    vmovdqu ymm10, [\base + \offset + 64]
    vmovdqu ymm11, [\base + \offset + 96]
    vmovdqu ymm12, [\base + \offset + 128]
    vmovdqu ymm13, [\base + \offset + 160]
    vmovdqu xmm14, [\base + \offset + 192]
    vpbroadcastw xmm15, [\base + \offset + 208]
.endm

.macro dot_into number, source
    vfmadd231ps ymm\number, ymm6, \source
.endm

.macro field sum, number, low, high
    .if \number % 4 / 2
    vpsrlw ymm6, ymm\low, 4
    vpand ymm6, ymm6, [rip + .Llow]
    .else
    vpand ymm6, ymm\low, [rip + .Llow]
    .endif
    .if \number % 4 == 0
    vpsllw ymm7, ymm\high, 4
    .elseif \number % 4 == 1
    vpsllw ymm7, ymm\high, 2
    .elseif \number % 4 == 3
    vpsrlw ymm7, ymm\high, 2
    .endif
    .if \number % 4 == 2
    vpand ymm7, ymm\high, [rip + .Lhigh]
    .else
    vpand ymm7, ymm7, [rip + .Lhigh]
    .endif
    vpor ymm6, ymm6, ymm7
    vmovdqu ymm\sum, [rsi + Q6_K_START + 32 * \number]
    {vex} vpdpbusd ymm\sum, ymm6, [rsi + 32 * \number]
.endm

.macro pair number, first, second, high
    field 4, \number, \first, \high
    field 5, %(\number + 1), \second, \high
    vpackssdw ymm4, ymm4, ymm5
    vpshufb ymm6, ymm3, [rip + .Lspread + 16 * \number]
    {vex} vpdpwssd ymm2, ymm4, ymm6
.endm

/* zero is loaded: LLVM's model of the core does not know that vpxor makes it, and would chain the blocks */
.macro group
    vpshufb xmm3, xmm14, [rip + .Lorder]
    vpmovsxbw ymm3, xmm3
    vmovdqa ymm2, [rip + .Lzero]
    pair 0, 8, 9, 12
    pair 2, 8, 9, 12
    pair 4, 10, 11, 13
    pair 6, 10, 11, 13
    vcvtph2ps xmm6, xmm15
    vmulss xmm6, xmm6, [rsi + Q6_K_SCALE]
    vbroadcastss ymm6, xmm6
    vcvtdq2ps ymm2, ymm2
    dot ymm2
.endm

    sequence_functions
#else
#include "micro/sequences/q6_k_row.h"

/** Of a group four words in a half of the packed sums, which vpdpwssd adds in pairs; the upper four of a half are of the field behind. */
static uint32_t lane_of(uint32_t column)
{
    return column % 32 / 16 * 4 + column % 64 / 32 * 2 + column % 16 / 8;
}

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    q6_k_row_refer(data, lane_of, lane_of, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    q6_k_row_fill(weights, activations, seed);
}
#endif
