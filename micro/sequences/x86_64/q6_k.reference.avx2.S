/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q6_k, a row at a time, in the order in which it is stored: fields of 32 columns, whose upper bits are masked and then shifted onto the
 * lower ones; 16-bit products with the activations are multiplied by the scales of their groups of 16 as vpmaddwd adds them up. A byte
 * shuffle makes 16 bytes of the scales of a field, which are widened each time. What 32 more of each code adds meets the sums of the
 * activations, exact in 32 bits. The lanes are parts of one row.
 * Per 32 weights: 1.25 shifts, 2 ANDs, 1 OR, 1 vpmaddubsw, 1 vpshufb, 1 vpmovsxbw, 1 vpmaddwd, 1 vpaddd; a block of 256: 10 more. 83 uops.
 * Golden Cove: 83 on three ports, 3.46 cycles per output vector.
 *
 *   ymm0, ymm1 accumulators   ymm2 sums of a block   ymm3 offset   ymm4-6 codes, products   ymm7 scales of a field, then d
 *   ymm8-11 lower bits   ymm12, ymm13 upper bits   xmm14 scales   xmm15 d
 */
#define FORMAT           "q6_k"
#define SEQUENCE         "reference"
#define ORIGIN           "llama.cpp"
#define CLAIMED          0.0
#define BYTES            26.25
#define GROUP_DOTS       1
#define GROUP_UOPS       83
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
.Lupper: /* of fields 0 … 3 */
    .irp bits, 0x03, 0x0c, 0x30, 0xc0
    .fill 32, 1, \bits
    .endr
.Llow: .fill 32, 1, 0x0f
.Lspread: /* the scales of each field */
    .irp group, 0, 2, 4, 6, 8, 10, 12, 14
    .fill 8, 1, \group
    .fill 8, 1, \group + 1
    .endr

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
    vfmadd231ps ymm\number, ymm7, \source
.endm

.macro field number, low, high
    vpand ymm5, ymm\high, [rip + .Lupper + 32 * (\number % 4)]
    .if \number % 4 == 0
    vpsllw ymm5, ymm5, 4
    .elseif \number % 4 == 1
    vpsllw ymm5, ymm5, 2
    .elseif \number % 4 == 3
    vpsrlw ymm5, ymm5, 2
    .endif
    .if \number % 4 / 2
    vpsrlw ymm4, ymm\low, 4
    vpand ymm4, ymm4, [rip + .Llow]
    .else
    vpand ymm4, ymm\low, [rip + .Llow]
    .endif
    vpor ymm4, ymm4, ymm5
    vpmaddubsw ymm4, ymm4, [rsi + 32 * \number]
    vpshufb xmm7, xmm14, [rip + .Lspread + 16 * \number]
    vpmovsxbw ymm7, xmm7
    .if \number
    vpmaddwd ymm4, ymm4, ymm7
    vpaddd ymm2, ymm2, ymm4
    .else
    vpmaddwd ymm2, ymm4, ymm7
    .endif
.endm

.macro group
    vpmovsxbw ymm3, xmm14
    vpmaddwd ymm3, ymm3, [rsi + Q6_K_SUMS]
    vpslld ymm3, ymm3, 5
    field 0, 8, 12
    field 1, 9, 12
    field 2, 8, 12
    field 3, 9, 12
    field 4, 10, 13
    field 5, 11, 13
    field 6, 10, 13
    field 7, 11, 13
    vpsubd ymm2, ymm2, ymm3
    vcvtph2ps xmm7, xmm15
    vmulss xmm7, xmm7, [rsi + Q6_K_SCALE]
    vbroadcastss ymm7, xmm7
    vcvtdq2ps ymm2, ymm2
    dot ymm2
.endm

    sequence_functions
#else
#include "micro/sequences/q6_k_row.h"

/** A lane has four columns of each 32. */
static uint32_t lane_of(uint32_t column)
{
    return column % 32 / 4;
}

/** The sums of two groups. */
static uint32_t offset_of(uint32_t column)
{
    return column / 32;
}

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    q6_k_row_refer(data, lane_of, offset_of, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    q6_k_row_fill(weights, activations, seed);
}
#endif
