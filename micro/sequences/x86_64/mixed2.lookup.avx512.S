/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mixed2, scales taken out of the sum as in mixed2.factored.avx2, and two columns looked up at once: the codes of
 * columns k and k + 1 are the four bits by which vpermps reads the sum code(k) x(k) + code(k + 1) x(k + 1) from a table
 * of 16 floats, made once for all rows; it ignores the bits above, so nothing is masked. Exact up to the rounding of
 * the entries.
 * Per two columns: 1 shift, 1 vpermps, 1 add; per group: 8; per block: 8. 95 uops of arithmetic for 768 weights,
 * beside 3 broadcasts and 2 stores.
 * Golden Cove at 512 bits: 95 on p05 (21 shifts on p0; 24 vpermps and 4 on p5): 47.5 cycles, 1.98 per output vector.
 * The tables take 32 bytes of cache for each column. 100 uops issued: 95 of arithmetic, 3 loads, 2 stores.
 *
 *   zmm0-7 accumulators   zmm8, zmm9 sums   zmm10, zmm11 codes shifted, looked up   zmm12, zmm13, zmm22 factors
 *   zmm25 zeros and scales   zmm27-29 codes   ymm30 zeros and scales as words   xmm31 2-order scales and zeros
 */
#define FORMAT           "mixed2"
#define SEQUENCE         "lookup"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            9.708
#define GROUP_DOTS       3
#define GROUP_UOPS       100
#define GROUP_VECTORS    24
#define LEAST            1
#define MOST             8
#define WEIGHT_BYTES     233
#define ACTIVATION_BYTES 1804 /* 48 floats, 24 tables, three sums for the zeros' places */
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-5
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#define TABLES 256
#define SUMS   1792

#ifdef __ASSEMBLER__
#include "micro/sequences/x86_64/mixed2_avx512.h"

.macro load_constants
.endm

.macro dot_into number, source
    vfmadd231ps zmm\number, zmm12, \source
.endm

.macro two_columns codes, pair, sums
    vpsrld zmm10, zmm\codes, 4 * \pair
    .if \pair == 1
    vpermps zmm\sums, zmm10, [rsi + TABLES + 64 * (8 * group_number + \pair)]
    .else
    vpermps zmm11, zmm10, [rsi + TABLES + 64 * (8 * group_number + \pair)]
    vaddps zmm\sums, zmm\sums, zmm11
    .endif
.endm

.macro sixteen_columns codes
    vpermps zmm8, zmm\codes, [rsi + TABLES + 64 * 8 * group_number]
    two_columns \codes, 1, 9
    two_columns \codes, 2, 8
    two_columns \codes, 3, 9
    two_columns \codes, 4, 8
    two_columns \codes, 5, 9
    two_columns \codes, 6, 8
    two_columns \codes, 7, 9
.endm

.macro close_rows g
    vaddps zmm8, zmm8, zmm9
    vpandd zmm13, zmm25, dword ptr [rip + .Lzeros + 4 * \g]{1to16}
    vcvtdq2ps zmm13, zmm13
    vfnmadd231ps zmm8, zmm13, dword ptr [rsi + SUMS + 4 * \g]{1to16}
    take_scales 12, 25, \g, 22
    dot zmm8
.endm

.macro rows g
    .set group_number, \g
    sixteen_columns %(27 + \g)
    close_rows \g
.endm

.macro group
    second_order 8, 9
    vpmovzxwd zmm25, ymm30
    rows 0
    rows 1
    rows 2
.endm

    .section .rodata
    .balign 16
/* zeros in their places, the sums of the activations the smaller */
.Lzeros: .long 0x3, 0xc, 0x30, 0
    .text

    sequence_functions
#else
#include "micro/sequences/mixed_groups.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    mixed_groups_refer(mixed_groups2, data, 0, 16, 16 * dot, 16, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    mixed_groups_fill(mixed_groups2, weights, activations, seed);
    memset(activations + 192, 0, TABLES - 192);
    for (uint32_t pair = 0; pair < 24; pair++) {
        double x = blocks_float(activations + 8 * pair), y = blocks_float(activations + 8 * pair + 4);
        for (uint32_t codes = 0; codes < 16; codes++)
            blocks_put_float(activations + TABLES + 64 * pair + 4 * codes, codes % 4 * x + codes / 4 * y, 1);
    }
    mixed_groups_put_sums(mixed_groups2, activations, activations + SUMS);
    for (uint32_t g = 0; g < 3; g++)
        blocks_put_float(activations + SUMS + 4 * g, blocks_float(activations + SUMS + 4 * g) / (double)(1 << 2 * g), 1);
}
#endif
