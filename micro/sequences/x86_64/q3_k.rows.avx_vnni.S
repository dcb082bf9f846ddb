/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q3_k, a block of one row as it is stored, as q3_k.rows.avx512_vnni with half the width: fields of 32 columns are masked and take their upper
 * bits, four products start from -4 or -16 times their activations, and the sums of two fields are packed to 16 bits and scaled by one vpdpwssd.
 * A block: 9 shifts, 16 ANDs, 8 ORs, 8 vpdpbusd, 4 vpackssdw, 4 vpshufb, 4 vpdpwssd, 9 to make scales, 6 to end.
 * Golden Cove: 68 on three ports, 2.83 cycles per output vector. 77 uops issued: 68 of arithmetic, 9 loads.
 *
 *   ymm0, ymm1 accumulators   ymm2 sums of a block   ymm3 scales   ymm4, ymm5 sums of fields   ymm6, ymm7 codes; scales of lanes, d
 *   ymm8 shifted lower bits   ymm11, ymm12 lower bits   ymm13 upper bits   xmm9, xmm10 bits of scales   xmm14 d
 */
#define FORMAT           "q3_k"
#define SEQUENCE         "rows"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            13.75
#define GROUP_DOTS       1
#define GROUP_UOPS       77
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             2
#define WEIGHT_BYTES     110
#define ACTIVATION_BYTES 832
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/sequences/q3_k_operand.h"
#include "micro/sequences/x86_64/q3_k.rows.256.inc"

    .section .rodata
    .balign 32
.Lspread: /* words of the scales of fields 2 n and 2 n + 1 */
    .irp pair, 0, 4, 8, 12
    .rept 2
    .fill 4, 2, \pair * 257 + 256
    .fill 4, 2, \pair * 257 + 770
    .endr
    .endr
.Lzero: .fill 32, 1, 0

.macro dot_into number, source
    vfmadd231ps ymm\number, ymm6, \source
.endm

.macro field sum, number, low
    codes_of \number, \low
    vmovdqu ymm\sum, [rsi + Q3_K_START + \number % 4 * 64 + \number / 4 * 32]
    {vex} vpdpbusd ymm\sum, ymm6, [rsi + 32 * \number]
.endm

.macro pair number, low
    field 4, \number, \low
    field 5, %(\number + 1), \low
    vpackssdw ymm4, ymm4, ymm5
    vpshufb ymm6, ymm3, [rip + .Lspread + 16 * \number]
    {vex} vpdpwssd ymm2, ymm4, ymm6
.endm

/* zero is loaded: LLVM's model of the core does not know that vpxor makes it, and would chain the blocks */
.macro group
    scales_into xmm3, xmm9, xmm10, xmm4
    vpshufb xmm3, xmm3, [rip + .Lorder]
    vpmovsxbw ymm3, xmm3
    vmovdqa ymm2, [rip + .Lzero]
    pair 0, 11
    vpsrlw ymm8, ymm11, 4
    pair 2, 8
    pair 4, 12
    vpsrlw ymm8, ymm12, 4
    pair 6, 8
    vcvtph2ps xmm6, xmm14
    vmulss xmm6, xmm6, [rsi + Q3_K_SCALE]
    vbroadcastss ymm6, xmm6
    vcvtdq2ps ymm2, ymm2
    dot ymm2
.endm

    sequence_functions
#else
#include "micro/sequences/q3_k_row.h"

/** Of a group four words in a half of the packed sums, which vpdpwssd adds in pairs; the upper four of a half are of the field behind. */
static uint32_t lane_of(uint32_t column)
{
    return column % 32 / 16 * 4 + column % 64 / 32 * 2 + column % 16 / 8;
}

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    q3_k_row_refer(data, lane_of, lane_of, 4, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    q3_k_row_fill(weights, activations, seed);
}
#endif
