/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mixed2, synchronous order [mixed-2-4-16, 5.1]: the scales of all groups of a block are dequantized (2-order), then
 * eight columns of weights (1-order), then these are multiplied, and so on. Lanes are rows: the scales of 16 rows, one
 * 2-order group, are a register.
 * Per column: shift, AND, conversion, multiply-subtract, multiply-add; per group: 7; per block: 7. 262 uops of
 * arithmetic of arithmetic for 768 weights, beside 3 broadcasts and 2 stores.
 * Golden Cove at 512 bits: 262 on p05 (47 shifts on p0, 4 on p5): 131 cycles, 5.46 per output vector. 267 uops
 * issued: 262 of arithmetic, 3 loads, 2 stores. 267 uops issued: 262 of arithmetic, 3 loads, 2 stores.
 *
 *   zmm0-7 accumulators   zmm8-15 weights   zmm16, zmm18, zmm20 scales of the three groups
 *   zmm17, zmm19, zmm21 scales times zeros   zmm22 broadcast   zmm25 zeros and scales   zmm26 mask 0x3   zmm27-29 codes
 *   ymm30 zeros and scales as words   xmm31 2-order scales and zeros
 */
#define FORMAT           "mixed2"
#define SEQUENCE         "synchronous"
#define ORIGIN           "mixed-2-4-16"
#define CLAIMED          0.0
#define BYTES            9.708
#define GROUP_DOTS       48
#define GROUP_UOPS       267
#define GROUP_VECTORS    24
#define LEAST            2
#define MOST             8
#define WEIGHT_BYTES     233
#define ACTIVATION_BYTES 192
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-5
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/sequences/x86_64/mixed2_avx512.h"

.macro load_constants
    mov eax, 3
    vpbroadcastd zmm26, eax
.endm

/* activation number dot_activation, which is the register of the weights' column */
.macro dot_into number, source
    vfmadd231ps zmm\number, \source, dword ptr [rsi + 4 * dot_activation]{1to16}
    .set dot_activation, dot_activation + 1
.endm

.macro dequantize_scales g, scale, product
    take_zeros \product, 25, 26, \g
    take_scales \scale, 25, \g, 22
    vmulps zmm\product, zmm\product, zmm\scale
.endm

.macro dequantize into, g, column
    dequantize_with \into, %(27 + \g), \column, %(16 + 2 * \g), %(17 + 2 * \g)
.endm

.macro dequantize_with into, codes, column, scale, product
    take_codes \into, \codes, 26, \column
    vfmsub213ps zmm\into, zmm\scale, zmm\product
.endm

.macro multiply weights
    dot zmm\weights
.endm

.macro eight_columns g, first
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7
    dequantize %(8 + \n), \g, %(\first + \n)
    .endr
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7
    multiply %(8 + \n)
    .endr
.endm

.macro group
    .set dot_activation, 0
    second_order 8, 9
    vpmovzxwd zmm25, ymm30
    dequantize_scales 0, 16, 17
    dequantize_scales 1, 18, 19
    dequantize_scales 2, 20, 21
    .irp g, 0, 1, 2
    eight_columns \g, 0
    eight_columns \g, 8
    .endr
.endm

    sequence_functions
#else
#include "micro/sequences/mixed_groups.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    mixed_groups_refer(mixed_groups2, data, 0, 16, dot, 1, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    mixed_groups_fill(mixed_groups2, weights, activations, seed);
}
#endif
