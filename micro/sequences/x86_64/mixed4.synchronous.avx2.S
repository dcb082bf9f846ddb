/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mixed4, synchronous order [mixed-2-4-16, 5.1], as mixed2.synchronous.avx2: the scales of 8 rows are dequantized
 * (2-order), then their weights, a column at a time (1-order), then these are multiplied.
 * Per column and 8 rows: shift, AND, conversion, multiply-subtract, multiply-add; per 8 rows: 7 or 8; per block: 9.
 * 176 uops of arithmetic for 256 weights, beside 32 broadcasts.
 * Golden Cove: 136 on p01, 8 on p15 and p5, 32 anywhere: 8.5 cycles per output vector, bound by p01. Zen 3: 176 on four
 * pipes, 5.50. 208 uops issued: 176 of arithmetic, 32 loads.
 *
 *   ymm0-3 accumulators   ymm4 scales   ymm5 scales times zeros   ymm6 weights   ymm7 activation
 *   ymm8, ymm9 2-order factors   ymm10-13 codes   xmm14 zeros and scales   xmm15 2-order scale and zero
 */
#define FORMAT           "mixed4"
#define SEQUENCE         "synchronous"
#define ORIGIN           "mixed-2-4-16"
#define CLAIMED          0.0
#define BYTES            18.375
#define GROUP_DOTS       32
#define GROUP_UOPS       208
#define GROUP_VECTORS    8
#define LEAST            2
#define MOST             4
#define WEIGHT_BYTES     147
#define ACTIVATION_BYTES 64
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/sequences/x86_64/mixed4_avx2.h"

.macro load_constants
.endm

.macro dot_into number, source
    vfmadd231ps ymm\number, ymm7, \source
.endm

.macro dequantize_scales h
    widen_row_bytes 4, \h
    take_zeros 5, 4
    take_scales 4
    vmulps ymm5, ymm5, ymm4
.endm

.macro one_column codes, column, activation
    take_codes 6, \codes, \column
    vfmsub213ps ymm6, ymm4, ymm5
    vbroadcastss ymm7, [rsi + 4 * (\activation)]
    dot ymm6
.endm

.macro rows h
    dequantize_scales \h
    .irp column, 0, 1, 2, 3, 4, 5, 6, 7
    one_column %(10 + \h), \column, \column
    .endr
    .irp column, 0, 1, 2, 3, 4, 5, 6, 7
    one_column %(12 + \h), \column, %(8 + \column)
    .endr
.endm

.macro group
    second_order
    rows 0
    rows 1
.endm

    sequence_functions
#else
#include "micro/sequences/mixed_groups.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    mixed_groups_refer(mixed_groups4, data, dot / 16 * 8, 8, dot % 16, 1, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    mixed_groups_fill(mixed_groups4, weights, activations, seed);
}
#endif
