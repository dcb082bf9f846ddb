/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q3_k, a row at a time, in the order in which it is stored: of each field of 32 columns the lower bits are shifted and masked, and where the
 * upper bit is not set a second operand has 4; the difference of their 16-bit products with the activations is multiplied by the scales of
 * its groups of 16 as vpmaddwd adds them up. The lanes are parts of one row. The original puts scales together in integer registers, here
 * vector registers do, in as many instructions.
 * Per 32 weights: 2.5 shifts, 1 AND, 1 ANDN, 2 vpmaddubsw, 1 vpsubw, 1 vpshufb, 1 vpmaddwd, 1 vpaddd; a block of 256: 18 more. 100 uops.
 * Golden Cove: 100 on three ports, 4.17 cycles per output vector.
 *
 *   ymm0, ymm1 accumulators   ymm2 sums of a block   ymm3, ymm7 scales   ymm4-6 codes, products   ymm8 scales of a field, then d
 *   ymm11, ymm12 lower bits   ymm13 upper bits   xmm9, xmm10 bits of scales   xmm14 d
 */
#define FORMAT           "q3_k"
#define SEQUENCE         "reference"
#define ORIGIN           "llama.cpp"
#define CLAIMED          0.0
#define BYTES            13.75
#define GROUP_DOTS       1
#define GROUP_UOPS       100
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
#include "micro/sequences/x86_64/q3_k.scales.256.inc"

    .section .rodata
    .balign 32
.Lbits: /* upper bit of each field */
    .irp bit, 1, 2, 4, 8, 16, 32, 64, 128
    .fill 32, 1, \bit
    .endr
.Lspread: /* the scales of fields 4 h + n among those of groups 8 h … */
    .irp field, 0, 2, 4, 6
    .fill 8, 2, \field * 514 + 256
    .fill 8, 2, \field * 514 + 770
    .endr
.Lmask: .fill 32, 1, 0x03

.macro load_constants
.endm

.macro load_weights base, offset
    vmovdqu ymm13, [\base + \offset]
    vmovdqu ymm11, [\base + \offset + 32]
    vmovdqu ymm12, [\base + \offset + 64]
    vpbroadcastq xmm9, [\base + \offset + 96]
    vpbroadcastd xmm10, [\base + \offset + 104]
    vpbroadcastw xmm14, [\base + \offset + 108]
.endm

.macro dot_into number, source
    vfmadd231ps ymm\number, ymm8, \source
.endm

.macro field number, low, scales
    vpandn ymm5, ymm13, [rip + .Lbits + 32 * \number]
    .if \number
    vpsrlw ymm5, ymm5, \number
    .endif
    vpsllw ymm5, ymm5, 2
    .if \number % 4
    vpsrlw ymm4, ymm\low, \number % 4 * 2
    vpand ymm4, ymm4, [rip + .Lmask]
    .else
    vpand ymm4, ymm\low, [rip + .Lmask]
    .endif
    vpmaddubsw ymm4, ymm4, [rsi + 32 * \number]
    vpmaddubsw ymm5, ymm5, [rsi + 32 * \number]
    vpsubw ymm4, ymm4, ymm5
    vpshufb ymm8, ymm\scales, [rip + .Lspread + \number % 4 * 32]
    .if \number
    vpmaddwd ymm4, ymm4, ymm8
    vpaddd ymm2, ymm2, ymm4
    .else
    vpmaddwd ymm2, ymm4, ymm8
    .endif
.endm

.macro group
    scales_into xmm3, xmm9, xmm10, xmm4
    vpmovsxbw ymm3, xmm3
    vpermq ymm7, ymm3, 0xee
    vpermq ymm3, ymm3, 0x44
    field 0, 11, 3
    field 1, 11, 3
    field 2, 11, 3
    field 3, 11, 3
    field 4, 12, 7
    field 5, 12, 7
    field 6, 12, 7
    field 7, 12, 7
    vcvtph2ps xmm8, xmm14
    vmulss xmm8, xmm8, [rsi + Q3_K_SCALE]
    vbroadcastss ymm8, xmm8
    vcvtdq2ps ymm2, ymm2
    dot ymm2
.endm

    sequence_functions
#else
#include "micro/sequences/q3_k_row.h"

/** A lane has four columns of each 32. */
static uint32_t lane_of(uint32_t column)
{
    return column % 32 / 4;
}

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    q3_k_row_refer(data, lane_of, lane_of, 1, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    q3_k_row_fill(weights, activations, seed);
}
#endif
