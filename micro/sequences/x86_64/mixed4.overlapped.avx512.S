/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mixed4, overlapped order [mixed-2-4-16, 5.3]: while one column is multiplied, one four columns ahead is dequantized.
 * The same operations as in mixed4.synchronous.avx512, interleaved. A block has one group for 16 rows, so the next
 * scales belong to the next block, which the window of instructions reaches.
 * Per column: shift, AND, conversion, multiply-subtract, multiply-add; per block: 16. 92 uops for 256 weights.
 * Golden Cove at 512 bits: 92 on p05 (14 shifts on p0, 6 on p5): 46 cycles, 5.75 per output vector.
 *
 *   zmm0-7 accumulators   zmm8-15 weights   zmm16 scales   zmm17 scales times zeros   zmm24, zmm25 2-order factors
 *   zmm26, zmm27 masks   zmm28, zmm29 codes   xmm30 zeros and scales   xmm31 2-order scale and zero
 */
#define FORMAT           "mixed4"
#define SEQUENCE         "overlapped"
#define ORIGIN           "mixed-2-4-16"
#define CLAIMED          0.0
#define BYTES            18.375
#define GROUP_DOTS       16
#define GROUP_UOPS       92
#define GROUP_VECTORS    8
#define LEAST            2
#define MOST             8
#define WEIGHT_BYTES     147
#define ACTIVATION_BYTES 64
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-5
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/sequences/x86_64/mixed4_avx512.h"

.macro load_constants
    load_masks
.endm

/* activation number dot_activation, which is the register of the weights' column */
.macro dot_into number, source
    vfmadd231ps zmm\number, \source, dword ptr [rsi + 4 * dot_activation]{1to16}
    .set dot_activation, dot_activation + 1
.endm

/* column k of the 16 */
.macro dequantize k
    dequantize_with %(8 + \k % 8), %(28 + \k / 8), %(\k % 8)
.endm
.macro dequantize_with into, codes, column
    take_codes \into, \codes, \column
    vfmsub213ps zmm\into, zmm16, zmm17
.endm

.macro multiply k
    multiply_by %(8 + \k % 8)
.endm
.macro multiply_by weights
    dot zmm\weights
.endm

.macro group
    .set dot_activation, 0
    second_order
    take_scales 16, 17
    vmulps zmm17, zmm17, zmm16
    dequantize 0
    dequantize 1
    dequantize 2
    dequantize 3
    .irp column, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
    dequantize %(\column + 4)
    multiply \column
    .endr
    multiply 12
    multiply 13
    multiply 14
    multiply 15
.endm

    sequence_functions
#else
#include "micro/sequences/mixed_groups.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    mixed_groups_refer(mixed_groups4, data, 0, 16, dot, 1, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    mixed_groups_fill(mixed_groups4, weights, activations, seed);
}
#endif
