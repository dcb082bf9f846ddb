/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mixed2, synchronous order [mixed-2-4-16, 5.1]: the scales of a group are dequantized (2-order), then its weights, a
 * column at a time (1-order), then these are multiplied. Lanes are rows, so that 2-order factors, one for 16 rows, are
 * broadcast and 1-order factors are one register for 16 columns. What the paper keeps in shared memory, the 2-order
 * factors of a block, is on the stack.
 * Per column and 8 rows: shift, AND, conversion, multiply-subtract, multiply-add; per group and 8 rows: 8 to 10; per
 * block: 7. 524 uops of arithmetic for 768 weights, beside 108 broadcasts and 2 stores.
 * Golden Cove: 410 on p01 (shifts, conversions, products), 12 on p15 and p5, 102 anywhere: 8.5 cycles per output
 * vector, bound by p01. Zen 3: 524 on four pipes, 5.46. 634 uops issued: 524 of arithmetic, 108 loads, 2 stores.
 *
 *   ymm0-3 accumulators   ymm4 scales   ymm5 scales times zeros   ymm6 weights   ymm7 activation
 *   ymm8-13 codes (group 0 rows 0-7, 8-15, group 1, ...)   ymm14 zeros and scales   xmm15 2-order scales and zeros
 */
#define FORMAT           "mixed2"
#define SEQUENCE         "synchronous"
#define ORIGIN           "mixed-2-4-16"
#define CLAIMED          0.0
#define BYTES            9.708
#define GROUP_DOTS       96
#define GROUP_UOPS       634
#define GROUP_VECTORS    24
#define LEAST            2
#define MOST             4
#define WEIGHT_BYTES     233
#define ACTIVATION_BYTES 192
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/sequences/x86_64/mixed2_avx2.h"

.macro load_constants
.endm

.macro dot_into number, source
    vfmadd231ps ymm\number, ymm7, \source
.endm

/* scales of group g, rows 8 h to 8 h + 7 */
.macro dequantize_scales g, h
    widen_row_words 4, \h
    take_zeros 5, 4, \g
    take_scales 4, \g
    vbroadcastss ymm6, [rsp - 16 + 4 * \g]
    vbroadcastss ymm7, [rsp - 32 + 4 * \g]
    vfmsub213ps ymm4, ymm6, ymm7
    vmulps ymm5, ymm5, ymm4
.endm

.macro one_column codes, g, column
    take_codes 6, \codes, \column
    vfmsub213ps ymm6, ymm4, ymm5
    vbroadcastss ymm7, [rsi + 4 * (16 * \g + \column)]
    dot ymm6
.endm

.macro rows g, h
    dequantize_scales \g, \h
    .irp column, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    one_column %(8 + 2 * \g + \h), \g, \column
    .endr
.endm

.macro group
    second_order 4, 5
    .irp g, 0, 1, 2
    rows \g, 0
    rows \g, 1
    .endr
.endm

    sequence_functions
#else
#include "micro/sequences/mixed_groups.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    uint32_t group = dot / 32, half = dot / 16 % 2;
    mixed_groups_refer(mixed_groups2, data, 8 * half, 8, 16 * group + dot % 16, 1, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    mixed_groups_fill(mixed_groups2, weights, activations, seed);
}
#endif
