/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mixed2, scales taken out of the sum as in mixed2.factored.avx2, and no conversion: one vpternlogd masks a code in its
 * place and puts the exponent of 1 above it, which makes the float
 *
 *     1 + code 2^(place - 23),
 *
 * so with activations 2^(23 - place) times as large a multiply-add adds code x and a number of the activations alone,
 * which the sum begins without. Four shifts bring four codes each to the places 15 to 21: what is added beside is at
 * most 256 x, 8 of the 24 bits of a float, which leaves more than the 11 bits of the half-precision weights of the
 * paper.
 * Per four columns: 1 shift, 4 vpternlogd, 4 multiply-adds; per group: 8; per block: 8. 140 uops of arithmetic for
 * 768 weights, beside 48 moves, 6 broadcasts and 2 stores.
 * Golden Cove at 512 bits: 140 on p05 (12 shifts on p0, 4 on p5): 70 cycles, 2.92 per output vector. 196 uops
 * issued: 140 of arithmetic, 6 loads, 48 copies, 2 stores.
 *
 *   zmm0-7 accumulators   zmm8, zmm9 sums of even and odd columns   zmm10 codes shifted   zmm11 codes as floats
 *   zmm12, zmm13, zmm22 factors   zmm16-19 masks   zmm20 exponent of 1   zmm25 zeros and scales   zmm26 mask 0x3
 *   zmm27-29 codes   ymm30 zeros and scales as words   xmm31 2-order scales and zeros
 */
#define FORMAT           "mixed2"
#define SEQUENCE         "factored"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            9.708
#define GROUP_DOTS       3
#define GROUP_UOPS       196
#define GROUP_VECTORS    24
#define LEAST            1
#define MOST             8
#define WEIGHT_BYTES     233
#define ACTIVATION_BYTES 408
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/sequences/x86_64/mixed2_avx512.h"

/* (code and mask) or exponent */
#define AND_OR 0xea

.macro load_constants
    mov eax, 3
    vpbroadcastd zmm26, eax
    vpslld zmm16, zmm26, 15
    vpslld zmm17, zmm26, 17
    vpslld zmm18, zmm26, 19
    vpslld zmm19, zmm26, 21
    mov eax, 0x3f800000
    vpbroadcastd zmm20, eax
.endm

.macro dot_into number, source
    vfmadd231ps zmm\number, zmm12, \source
.endm

.macro column codes, mask, sums, number
    vmovdqa32 zmm11, zmm\codes
    vpternlogd zmm11, zmm\mask, zmm20, AND_OR
    .if \number == 1
    vmulps zmm\sums, zmm11, dword ptr [rsi + 192 + 4 * (16 * group_number + \number)]{1to16}
    .else
    vfmadd231ps zmm\sums, zmm11, dword ptr [rsi + 192 + 4 * (16 * group_number + \number)]{1to16}
    .endif
.endm

.macro four_columns first
    column 10, 16, 8, %(\first)
    column 10, 17, 9, %(\first + 1)
    column 10, 18, 8, %(\first + 2)
    column 10, 19, 9, %(\first + 3)
.endm

.macro sixteen_columns codes
    vbroadcastss zmm8, [rsi + 396 + 4 * group_number]
    vpslld zmm10, zmm\codes, 15
    four_columns 0
    vpslld zmm10, zmm\codes, 7
    four_columns 4
    vpsrld zmm10, zmm\codes, 1
    four_columns 8
    vpsrld zmm10, zmm\codes, 9
    four_columns 12
.endm

.macro close_rows g
    vaddps zmm8, zmm8, zmm9
    vpandd zmm13, zmm25, dword ptr [rip + .Lzeros + 4 * \g]{1to16}
    vcvtdq2ps zmm13, zmm13
    vfnmadd231ps zmm8, zmm13, dword ptr [rsi + 384 + 4 * \g]{1to16}
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

/* from byte 192: the activations for their places; 384: their sums for the zeros' places; 396: less what is beside */
void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    mixed_groups_fill(mixed_groups2, weights, activations, seed);
    mixed_groups_put_sums(mixed_groups2, activations, activations + 384);
    for (uint32_t g = 0; g < 3; g++) {
        double beside = 0, sum = blocks_float(activations + 384 + 4 * g);
        for (uint32_t c = 16 * g; c < 16 * g + 16; c++) {
            double x = blocks_float(activations + 4 * c) * (double)(1 << (8 - c % 4 * 2));
            blocks_put_float(activations + 192 + 4 * c, x, 1);
            beside += x;
        }
        blocks_put_float(activations + 384 + 4 * g, sum / (double)(1 << 2 * g), 1);
        blocks_put_float(activations + 396 + 4 * g, -beside, 1);
    }
}
#endif
