/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q3_k, a block of one row as it is stored: a field of 32 columns takes its upper bits and is one product where the original has two. The
 * sums of fields at bits 3:2 are four times too large and apart; 4 more of each code meets the sums of the activations.
 * A block: 9 shifts, 16 ANDs, 8 ORs, 8 vpmaddubsw, 8 vpshufb, 8 vpmaddwd, 6 vpaddd, 9 to make scales, 13 to end.
 * Golden Cove: 85 on three ports, 3.54 cycles per output vector. 85 uops.
 *
 *   ymm0, ymm1 accumulators   ymm2, ymm4 sums of a block   ymm3 scales   ymm5 their bytes, then offsets   ymm6, ymm7 codes; scales of a
 *   field, d   ymm8 shifted lower bits   the others: the .inc
 */
#define FORMAT           "q3_k"
#define SEQUENCE         "rows"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            13.75
#define GROUP_DOTS       1
#define GROUP_UOPS       85
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
.Lspread: /* words of the scales of each field */
    .irp field, 0, 2, 4, 6, 8, 10, 12, 14
    .fill 16, 2, \field * 257 + 256
    .endr
.Lquarter: .float 0.25

.macro dot_into number, source
    vfmadd231ps ymm\number, ymm6, \source
.endm

.macro field sum, number, low
    codes_of \number, \low
    vpmaddubsw ymm6, ymm6, [rsi + 32 * \number]
    vpshufb ymm7, ymm3, [rip + .Lspread + 32 * \number]
    .if \number < 2
    vpmaddwd ymm\sum, ymm6, ymm7
    .else
    vpmaddwd ymm6, ymm6, ymm7
    vpaddd ymm\sum, ymm\sum, ymm6
    .endif
.endm

.macro half number, low
    field 2, \number, \low
    field 4, %(\number + 1), \low
    vpsrlw ymm8, ymm\low, 4
    field 2, %(\number + 2), 8
    field 4, %(\number + 3), 8
.endm

.macro group
    scales_into xmm5, xmm9, xmm10, xmm4
    vpshufb xmm3, xmm5, [rip + .Lorder]
    vpmovsxbw ymm3, xmm3
    half 0, 11
    half 4, 12
    vpmovsxbw ymm5, xmm5
    vpmaddwd ymm5, ymm5, [rsi + Q3_K_SUMS]
    vpslld ymm5, ymm5, 2
    vpsubd ymm2, ymm2, ymm5
    vpslld ymm2, ymm2, 2
    vpaddd ymm2, ymm2, ymm4
    vcvtph2ps xmm6, xmm14
    vmulss xmm6, xmm6, [rsi + Q3_K_SCALE]
    vmulss xmm6, xmm6, [rip + .Lquarter]
    vbroadcastss ymm6, xmm6
    vcvtdq2ps ymm2, ymm2
    dot ymm2
.endm

    sequence_functions
#else
#include "micro/sequences/q3_k_row.h"

/** A lane has four columns of each 32, and the sums of two groups. */
static uint32_t lane_of(uint32_t column)
{
    return column % 32 / 4;
}

static uint32_t offset_of(uint32_t column)
{
    return column / 32;
}

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    q3_k_row_refer(data, lane_of, offset_of, 1, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    q3_k_row_fill(weights, activations, seed);
}
#endif
