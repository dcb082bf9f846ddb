/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mixed4, scales taken out of the sum, as mixed2.factored.avx2: a code is masked in its place, 16^column too large, and
 * the activation is 16^column too small; only the last column of a register is shifted.
 * Per column and 8 rows: AND (or shift), conversion, multiply-add; per 8 rows: 9 or 10; per block: 9. 124 uops of
 * arithmetic of arithmetic for 256 weights, beside 18 broadcasts.
 * Golden Cove: 82 on p01 (conversions, products), 8 on p5, 34 anywhere: 124 on three ports, 5.17 cycles per output
 * vector. Zen 3: 124 on four pipes, 3.88. 142 uops issued: 124 of arithmetic, 18 loads. 142 uops issued: 124 of
 * arithmetic, 18 loads.
 *
 *   ymm0-1 accumulators   ymm2-5 sums of the even and odd columns, rows 0-7 and 8-15   ymm6 activation   ymm7 codes
 *   ymm8, ymm9 2-order factors   ymm10-13 codes   xmm14 zeros and scales   xmm15 2-order scale and zero
 */
#define FORMAT           "mixed4"
#define SEQUENCE         "factored"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            18.375
#define GROUP_DOTS       2
#define GROUP_UOPS       142
#define GROUP_VECTORS    8
#define LEAST            2
#define MOST             2
#define WEIGHT_BYTES     147
#define ACTIVATION_BYTES 132 /* 16 floats, the same in the places of their codes, their sum */
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/sequences/x86_64/mixed4_avx2.h"

    .section .rodata
    .balign 32
/* the columns in their places; the last is shifted */
.Lcolumns:
    .irp column, 0, 1, 2, 3, 4, 5, 6
    .fill 8, 4, 15 << (4 * \column)
    .endr
    .text

.macro load_constants
.endm

.macro dot_into number, source
    vfmadd231ps ymm\number, ymm7, \source
.endm

.macro take_in_place codes, column
    .if \column < 7
    vpand ymm7, ymm\codes, [rip + .Lcolumns + 32 * \column]
    .else
    vpsrld ymm7, ymm\codes, 28
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

.macro one_column column
    vbroadcastss ymm6, [rsi + 64 + 4 * \column]
    take_in_place %(10 + \column / 8 * 2), %(\column % 8)
    add_up %(2 + \column % 2), \column
    take_in_place %(11 + \column / 8 * 2), %(\column % 8)
    add_up %(4 + \column % 2), \column
.endm

/* sums of rows 8 h ... less their zeros, times their scales; ymm`other` is free */
.macro close_rows h, sums, other
    vaddps ymm\sums, ymm\sums, ymm\other
    widen_row_bytes 7, \h
    take_zeros \other, 7
    vbroadcastss ymm6, [rsi + 128]
    vfnmadd231ps ymm\sums, ymm\other, ymm6
    take_scales 7
    dot ymm\sums
.endm

.macro group
    second_order
    .irp column, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    one_column \column
    .endr
    close_rows 0, 2, 3
    close_rows 1, 4, 5
.endm

    sequence_functions
#else
#include "micro/sequences/mixed_groups.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    mixed_groups_refer(mixed_groups4, data, 8 * dot, 8, 0, 16, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    mixed_groups_fill(mixed_groups4, weights, activations, seed);
    for (uint32_t c = 0; c < 16; c++) {
        double place = c % 8 < 7 ? 1.0 / (double)(1u << c % 8 * 4) : 1;
        blocks_put_float(activations + 64 + 4 * c, place * blocks_float(activations + 4 * c), 1);
    }
    mixed_groups_put_sums(mixed_groups4, activations, activations + 128);
}
#endif
