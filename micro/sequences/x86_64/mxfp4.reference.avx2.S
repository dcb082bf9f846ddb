/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MXFP4, a row at a time as llama.cpp has it: nibbles.reference.inc, and the scale, halved, from a table of all bytes.
 * Of a block: 1 shift, 2 ANDs, 2 vpshufb, 1 vinserti128, vpabsb, vpsignb, vpmaddubsw, vpmaddwd, 1 conversion, 1 product of scales, 1
 * to spread it, 1 multiply-add. Golden Cove: 14 uops on three ports, 4.67 cycles per output vector. 15 uops issued: 14 of arithmetic, 1 load.
 *
 *   ymm0-3 accumulators   ymm4, ymm5 values, products   ymm6 scale   ymm7 signed activations
 *   xmm10 nibbles   ymm15 activations   eax byte of the scale   rcx table   the others: nibbles.reference.inc
 */
#define FORMAT           "mxfp4"
#define SEQUENCE         "reference"
#define ORIGIN           "llama.cpp"
#define CLAIMED          0.0
#define BYTES            17.0
#define GROUP_DOTS       1
#define GROUP_UOPS       15
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
.Lvalues: .byte 0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12
#include "micro/sequences/x86_64/nibbles.reference.inc"

.macro load_constants
    nibble_constants
    vmovdqu ymm15, [rsi]
    lea rcx, [rip + .Lhalf_scales]
.endm

.macro load_weights base, offset
    movzx eax, byte ptr [\base + \offset]
    vmovdqu xmm10, [\base + \offset + 1]
.endm

.macro dot_into number, source
    vfmadd231ps ymm\number, ymm6, \source
.endm

.macro group
    nibble_values 4, 5, 10
    vinserti128 ymm4, ymm4, xmm5, 1
    signed_products 5, 4, 7, 15
    vmovss xmm6, dword ptr [rcx + 4 * rax]
    vmulss xmm6, xmm6, dword ptr [rsi + 36]
    vbroadcastss ymm6, xmm6
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
