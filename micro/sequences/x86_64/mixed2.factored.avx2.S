/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mixed2, scales taken out of the sum: of a group of 16 columns
 *
 *     sum scale (code - zero) x = scale (sum code x - zero sum x),
 *
 * where sum x is one number for all rows, so a weight is not dequantized but multiplied as it is. A code is masked in
 * its place, where it is 4^column too large, exactly, and the activation 4^column too small; only the last column is
 * shifted.
 * Per column and 8 rows: AND, conversion, multiply-add; per group and 8 rows: 10 to 12; per block: 7. 356 uops of
 * arithmetic of arithmetic for 768 weights, beside 66 broadcasts and 2 stores.
 * Golden Cove: 236 on p01 (conversions, products), 7 on p15, 11 on p5, 102 anywhere: 356 on three ports, 4.94 cycles
 * per output vector. Zen 3: 356 on four pipes, 3.71. 424 uops issued: 356 of arithmetic, 66 loads, 2 stores. 424
 * uops issued: 356 of arithmetic, 66 loads, 2 stores.
 *
 *   ymm0-1 accumulators   ymm2-5 sums of the even and odd columns, rows 0-7 and 8-15   ymm6 activation   ymm7 codes
 *   ymm2, ymm4, ymm6, ymm7 factors at the end   ymm8-13 codes (group 0 rows 0-7, 8-15, group 1, ...)
 *   ymm14 zeros and scales   xmm15 2-order scales and zeros
 */
#define FORMAT           "mixed2"
#define SEQUENCE         "factored"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            9.708
#define GROUP_DOTS       6
#define GROUP_UOPS       424
#define GROUP_VECTORS    24
#define LEAST            2
#define MOST             2
#define WEIGHT_BYTES     233
#define ACTIVATION_BYTES 396 /* 48 in the places of their codes, three sums */
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/sequences/x86_64/mixed2_avx2.h"

    .section .rodata
    .balign 32
/* the columns in their places; the last is shifted */
.Lcolumns:
    .irp column, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14
    .fill 8, 4, 3 << (2 * \column)
    .endr
    .text

.macro load_constants
.endm

.macro dot_into number, source
    vfmadd231ps ymm\number, ymm6, \source
.endm

.macro take_in_place codes, column
    .if \column < 15
    vpand ymm7, ymm\codes, [rip + .Lcolumns + 32 * \column]
    .else
    vpsrld ymm7, ymm\codes, 30
    .endif
    vcvtdq2ps ymm7, ymm7
.endm

.macro add_up sums, column
    .if \column < 2
    vmulps ymm\sums, ymm7, ymm6
    .else
    vfmadd231ps ymm\sums, ymm7, ymm6
    .endif
.endm

.macro one_column g, column
    vbroadcastss ymm6, [rsi + 192 + 4 * (16 * \g + \column)]
    take_in_place %(8 + 2 * \g), \column
    add_up %(2 + \column % 2), \column
    take_in_place %(9 + 2 * \g), \column
    add_up %(4 + \column % 2), \column
.endm

/* sums of rows 8 h ... less their zeros, times their scales; ymm`other` is free */
.macro close_rows g, h, sums, other
    vaddps ymm\sums, ymm\sums, ymm\other
    widen_row_words 7, \h
    take_zeros \other, 7, \g
    vbroadcastss ymm6, [rsi + 384 + 4 * \g]
    vfnmadd231ps ymm\sums, ymm\other, ymm6
    take_scales 7, \g
    vbroadcastss ymm6, [rsp - 16 + 4 * \g]
    vbroadcastss ymm\other, [rsp - 32 + 4 * \g]
    vfmsub213ps ymm6, ymm7, ymm\other
    dot ymm\sums
.endm

.macro rows g
    .irp column, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    one_column \g, \column
    .endr
    close_rows \g, 0, 2, 3
    close_rows \g, 1, 4, 5
.endm

.macro group
    second_order 6, 7
    rows 0
    rows 1
    rows 2
.endm

    sequence_functions
#else
#include "micro/sequences/mixed_groups.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    mixed_groups_refer(mixed_groups2, data, dot % 2 * 8, 8, dot / 2 * 16, 16, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    mixed_groups_fill(mixed_groups2, weights, activations, seed);
    for (uint32_t c = 0; c < 48; c++) {
        double place = c % 16 < 15 ? 1.0 / (double)(1u << c % 16 * 2) : 1;
        blocks_put_float(activations + 192 + 4 * c, place * blocks_float(activations + 4 * c), 1);
    }
    mixed_groups_put_sums(mixed_groups2, activations, activations + 384);
}
#endif
