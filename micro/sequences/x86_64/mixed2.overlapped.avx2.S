/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mixed2, overlapped order [mixed-2-4-16, 5.3]: while one column is multiplied the next is dequantized, and between the
 * columns of a group the scales of the next group are (2-order), which is what mixed2.synchronous.avx2 does one after
 * the other. The next scales wait on the stack, as they do in the paper's shared memory.
 * Per column and 8 rows: shift, AND, conversion, multiply-subtract, multiply-add; per group and 8 rows: 10 to 12; per
 * block: 7. 539 uops of arithmetic for 768 weights, beside 114 broadcasts and loads and 14 stores.
 * Golden Cove: 410 on p01, 7 on p15, 20 on p5, 102 anywhere: 8.5 cycles per output vector, bound by p01. Zen 3: 539 on
 * four pipes, 5.61. A window of instructions that holds a column or two overlaps both orders alike. 667 uops issued:
 * 539 of arithmetic, 114 loads, 14 stores.
 *
 *   ymm0-2 accumulators   ymm3 scales   ymm4 scales times zeros   ymm5, ymm6 weights, in turns; next scales
 *   ymm7 activation; next zeros   ymm8-13 codes (group 0 rows 0-7, 8-15, group 1, ...)   ymm14 zeros and scales
 *   xmm15 2-order scales and zeros
 */
#define FORMAT           "mixed2"
#define SEQUENCE         "overlapped"
#define ORIGIN           "mixed-2-4-16"
#define CLAIMED          0.0
#define BYTES            9.708
#define GROUP_DOTS       96
#define GROUP_UOPS       667
#define GROUP_VECTORS    24
#define LEAST            2
#define MOST             3
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

/* zeros of a group to rsp - 64 */
.macro next_zeros g, h
    widen_row_words 7, \h
    take_zeros 7, 7, \g
    vmovups [rsp - 64], ymm7
.endm

/* scales to rsp - 96; `free` is the register whose column was multiplied */
.macro next_scales g, h, free
    widen_row_words \free, \h
    take_scales \free, \g
    vbroadcastss ymm7, [rsp - 16 + 4 * \g]
    vmulps ymm\free, ymm\free, ymm7
    vbroadcastss ymm7, [rsp - 32 + 4 * \g]
    vsubps ymm\free, ymm\free, ymm7
    vmovups [rsp - 96], ymm\free
.endm

.macro take_over
    vmovups ymm3, [rsp - 96]
    vmulps ymm4, ymm3, [rsp - 64]
.endm

/* dequantize a column into `next` and multiply the one before it */
.macro step next, codes, column, now, activation
    .if \column
    vpsrld ymm\next, ymm\codes, 2 * \column
    vbroadcastss ymm7, [rsi + 4 * (\activation)]
    .if \column < 15
    vpand ymm\next, ymm\next, [rip + .Lthree]
    .endif
    .else
    vbroadcastss ymm7, [rsi + 4 * (\activation)]
    vpand ymm\next, ymm\codes, [rip + .Lthree]
    .endif
    vcvtdq2ps ymm\next, ymm\next
    dot ymm\now
    vfmsub213ps ymm\next, ymm3, ymm4
.endm

.macro dequantize into, codes, column
    take_codes \into, \codes, \column
    vfmsub213ps ymm\into, ymm3, ymm4
.endm

.macro multiply weights, activation
    vbroadcastss ymm7, [rsi + 4 * (\activation)]
    dot ymm\weights
.endm

/* columns of group g, rows 8 h ..., the next scales on the way, then the first column of the next rows */
.macro rows g, h, next_g, next_h
    .irp column, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14
    step %(6 - \column % 2), %(8 + 2 * \g + \h), %(\column + 1), %(5 + \column % 2), %(16 * \g + \column)
    .if \next_g < 3
    .if \column == 3
    next_zeros \next_g, \next_h
    .endif
    .if \column == 7
    next_scales \next_g, \next_h, 6
    .endif
    .endif
    .endr
    .if \next_g < 3
    take_over
    step 5, %(8 + 2 * \next_g + \next_h), 0, 6, %(16 * \g + 15)
    .else
    multiply 6, %(16 * \g + 15)
    .endif
.endm

.macro group
    second_order 5, 6
    next_zeros 0, 0
    next_scales 0, 0, 6
    take_over
    dequantize 5, 8, 0
    rows 0, 0, 0, 1
    rows 0, 1, 1, 0
    rows 1, 0, 1, 1
    rows 1, 1, 2, 0
    rows 2, 0, 2, 1
    rows 2, 1, 3, 0
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
