/* SPDX-License-Identifier: BSD-3-Clause
 *
 * iq4_nl, a row at a time as llama.cpp has it: nibbles.reference.inc.
 * Of a block: 1 shift, 2 ANDs, 2 vpshufb, 1 vinserti128, vpabsb, vpsignb, vpmaddubsw, vpmaddwd, 2 conversions, 1 product of scales, 1
 * to spread it, 1 multiply-add. 16 uops for 32 weights. Golden Cove: 16 on three ports, 5.33 cycles per output vector.
 *
 *   ymm0-3 accumulators   ymm4, ymm5 values, products   ymm6 scale   ymm7 signed activations
 *   ymm9 scale   xmm10 nibbles   ymm15 activations   the others: nibbles.reference.inc
 */
#define FORMAT           "iq4_nl"
#define SEQUENCE         "reference"
#define ORIGIN           "llama.cpp"
#define CLAIMED          0.0
#define BYTES            18.0
#define GROUP_DOTS       1
#define GROUP_UOPS       16
#define GROUP_VECTORS    1
#define LEAST            1
#define MOST             4
#define WEIGHT_BYTES     18
#define ACTIVATION_BYTES 64
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
    .section .rodata
    .balign 16
.Lvalues: .byte -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113
#include "micro/sequences/x86_64/nibbles.reference.inc"

.macro load_constants
    nibble_constants
    vmovdqu ymm15, [rsi]
.endm

.macro load_weights base, offset
    vpbroadcastw xmm9, [\base + \offset]
    vmovdqu xmm10, [\base + \offset + 2]
.endm

.macro dot_into number, source
    vfmadd231ps ymm\number, ymm6, \source
.endm

.macro group
    nibble_values 4, 5, 10
    vinserti128 ymm4, ymm4, xmm5, 1
    signed_products 5, 4, 7, 15
    vcvtph2ps xmm6, xmm9
    vmulss xmm6, xmm6, dword ptr [rsi + 36]
    vbroadcastss ymm6, xmm6
    dot ymm5
.endm

    sequence_functions
#else
#include "micro/sequences/block32.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    block32_refer(data, BLOCK32_ROW, 8, dot, block32_nonlinear, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block32_fill(weights, activations, BLOCK32_ROW, 8, seed);
}
#endif
