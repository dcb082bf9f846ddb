/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mixed4, overlapped order [mixed-2-4-16, 5.3], as mixed2.overlapped.avx2: while one column is multiplied the next is
 * dequantized, and between the columns of the first 8 rows the scales of the other 8 are (2-order).
 * Per column and 8 rows: shift, AND, conversion, multiply-subtract, multiply-add; per 8 rows: 8 or 10; per block: 9.
 * 179 uops of arithmetic for 256 weights, beside 34 broadcasts and loads and 4 stores.
 * Golden Cove: 136 on p01, 11 on p15 and p5, 32 anywhere: 8.5 cycles per output vector, bound by p01. Zen 3: 179 on
 * four pipes, 5.59. 217 uops issued: 179 of arithmetic, 34 loads, 4 stores.
 *
 *   ymm0-2 accumulators   ymm3 scales   ymm4 scales times zeros   ymm5, ymm6 weights, in turns; next scales
 *   ymm7 activation; next zeros   ymm8, ymm9 2-order factors   ymm10-13 codes   xmm14 zeros and scales
 *   xmm15 2-order scale and zero
 */
#define FORMAT           "mixed4"
#define SEQUENCE         "overlapped"
#define ORIGIN           "mixed-2-4-16"
#define CLAIMED          0.0
#define BYTES            18.375
#define GROUP_DOTS       32
#define GROUP_UOPS       217
#define GROUP_VECTORS    8
#define LEAST            2
#define MOST             3
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

/* zeros of rows 8 h ... to rsp - 32 */
.macro next_zeros h
    widen_row_bytes 7, \h
    take_zeros 7, 7
    vmovups [rsp - 32], ymm7
.endm

/* scales to rsp - 64; `free` is the register whose column was multiplied */
.macro next_scales h, free
    widen_row_bytes \free, \h
    take_scales \free
    vmovups [rsp - 64], ymm\free
.endm

.macro take_over
    vmovups ymm3, [rsp - 64]
    vmulps ymm4, ymm3, [rsp - 32]
.endm

/* dequantize a column into `next` and multiply the one before it */
.macro step next, codes, column, now, activation
    .if \column
    vpsrld ymm\next, ymm\codes, 4 * \column
    vbroadcastss ymm7, [rsi + 4 * (\activation)]
    .if \column < 7
    vpand ymm\next, ymm\next, [rip + .Llow]
    .endif
    .else
    vbroadcastss ymm7, [rsi + 4 * (\activation)]
    vpand ymm\next, ymm\codes, [rip + .Llow]
    .endif
    vcvtdq2ps ymm\next, ymm\next
    dot ymm\now
    vfmsub213ps ymm\next, ymm3, ymm4
.endm

.macro rows h
    .irp column, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14
    step %(6 - \column % 2), %(10 + \h + (\column + 1) / 8 * 2), %((\column + 1) % 8), %(5 + \column % 2), \column
    .if \h == 0
    .if \column == 3
    next_zeros 1
    .endif
    .if \column == 7
    next_scales 1, 6
    .endif
    .endif
    .endr
.endm

.macro group
    second_order
    next_zeros 0
    next_scales 0, 6
    take_over
    take_codes 5, 10, 0
    vfmsub213ps ymm5, ymm3, ymm4
    rows 0
    take_over
    step 5, 11, 0, 6, 15
    rows 1
    vbroadcastss ymm7, [rsi + 60]
    dot ymm6
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
