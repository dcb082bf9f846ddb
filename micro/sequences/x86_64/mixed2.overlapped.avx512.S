/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mixed2, overlapped order [mixed-2-4-16, 5.3]: while one column is multiplied, one four columns ahead is dequantized,
 * and between the columns of a group the scales of the next group are (2-order). The same operations as in
 * mixed2.synchronous.avx512, interleaved.
 * Per column: shift, AND, conversion, multiply-subtract, multiply-add; per group: 7; per block: 7. 262 uops of
 * arithmetic of arithmetic for 768 weights, beside 3 broadcasts and 2 stores.
 * Golden Cove at 512 bits: 262 on p05 (47 shifts on p0, 4 on p5): 131 cycles, 5.46 per output vector, as in the other
 * order: a window of 512 uops overlaps both. 267 uops issued: 262 of arithmetic, 3 loads, 2 stores. 267 uops issued:
 * 262 of arithmetic, 3 loads, 2 stores.
 *
 *   zmm0-7 accumulators   zmm8-15 weights   zmm16, zmm18 scales, groups in turns   zmm17, zmm19 scales times zeros
 *   zmm22 broadcast   zmm25 zeros and scales   zmm26 mask 0x3   zmm27-29 codes   ymm30 zeros and scales as words
 *   xmm31 2-order scales and zeros
 */
#define FORMAT           "mixed2"
#define SEQUENCE         "overlapped"
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

.macro next_zeros g
    next_zeros_to %(17 + 2 * (\g % 2)), \g
.endm
.macro next_zeros_to into, g
    take_zeros \into, 25, 26, \g
.endm

.macro next_scales g
    next_scales_to %(16 + 2 * (\g % 2)), \g
.endm
.macro next_scales_to into, g
    take_scales \into, 25, \g, 22
.endm

.macro next_products g
    next_products_to %(17 + 2 * (\g % 2)), %(16 + 2 * (\g % 2))
.endm
.macro next_products_to into, scales
    vmulps zmm\into, zmm\into, zmm\scales
.endm

/* column k of the 48 */
.macro dequantize k
    dequantize_with %(8 + \k % 8), %(27 + \k / 16), %(\k % 16), %(16 + \k / 16 % 2 * 2), %(17 + \k / 16 % 2 * 2)
.endm

.macro dequantize_with into, codes, column, scale, product
    take_codes \into, \codes, 26, \column
    vfmsub213ps zmm\into, zmm\scale, zmm\product
.endm

.macro multiply k
    multiply_by %(8 + \k % 8)
.endm
.macro multiply_by weights
    dot zmm\weights
.endm

/* the columns k and k + 4, and a part of the next group's scales */
.macro step k
    .if \k + 4 < 48
    dequantize %(\k + 4)
    .endif
    .if \k < 32
    .if \k % 16 == 2
    next_zeros %(\k / 16 + 1)
    .endif
    .if \k % 16 == 5
    next_scales %(\k / 16 + 1)
    .endif
    .if \k % 16 == 8
    next_products %(\k / 16 + 1)
    .endif
    .endif
    multiply \k
.endm

.macro group
    .set dot_activation, 0
    second_order 8, 9
    vpmovzxwd zmm25, ymm30
    next_zeros 0
    next_scales 0
    next_products 0
    dequantize 0
    dequantize 1
    dequantize 2
    dequantize 3
    .set step_number, 0
    .rept 48
    step %(step_number)
    .set step_number, step_number + 1
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
