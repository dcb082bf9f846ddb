/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mixed4, scales taken out of the sum and no conversion, as mixed2.factored.avx512: one vpternlogd masks a code in its
 * place (15 or 19, brought there by a shift for two codes) and puts the exponent of 1 above it; what that adds beside,
 * at most 256 x, the sum begins without.
 * Per two columns: 1 shift, 2 vpternlogd, 2 multiply-adds; per block: 18. 58 uops of arithmetic for 256 weights,
 * beside 16 moves and 1 broadcast.
 * Golden Cove at 512 bits: 58 on p05 (8 shifts on p0, 6 on p5): 29 cycles, 3.63 per output vector. 75 uops issued:
 * 58 of arithmetic, 1 load, 16 copies.
 *
 *   zmm0-7 accumulators   zmm8, zmm9 sums of even and odd columns   zmm10 codes shifted   zmm11 codes as floats
 *   zmm12 scales   zmm13 zeros   zmm18, zmm19 masks   zmm20 exponent of 1   zmm24, zmm25 2-order factors
 *   zmm26, zmm27 masks   zmm28, zmm29 codes   xmm30 zeros and scales   xmm31 2-order scale and zero
 */
#define FORMAT           "mixed4"
#define SEQUENCE         "factored"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            18.375
#define GROUP_DOTS       1
#define GROUP_UOPS       75
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             8
#define WEIGHT_BYTES     147
#define ACTIVATION_BYTES 136 /* 16 floats, the same for their places, their sum, less what is beside */
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/sequences/x86_64/mixed4_avx512.h"

/* (code and mask) or exponent */
#define AND_OR 0xea

.macro load_constants
    load_masks
    vpslld zmm18, zmm26, 15
    vpslld zmm19, zmm26, 19
    mov eax, 0x3f800000
    vpbroadcastd zmm20, eax
.endm

.macro dot_into number, source
    vfmadd231ps zmm\number, zmm12, \source
.endm

.macro column number, mask, sums
    vmovdqa32 zmm11, zmm10
    vpternlogd zmm11, zmm\mask, zmm20, AND_OR
    .if \number == 1
    vmulps zmm\sums, zmm11, dword ptr [rsi + 64 + 4 * \number]{1to16}
    .else
    vfmadd231ps zmm\sums, zmm11, dword ptr [rsi + 64 + 4 * \number]{1to16}
    .endif
.endm

.macro two_columns first
    column \first, 18, 8
    column %(\first + 1), 19, 9
.endm

.macro eight_columns codes, first
    vpslld zmm10, zmm\codes, 15
    two_columns \first
    vpslld zmm10, zmm\codes, 7
    two_columns %(\first + 2)
    vpsrld zmm10, zmm\codes, 1
    two_columns %(\first + 4)
    vpsrld zmm10, zmm\codes, 9
    two_columns %(\first + 6)
.endm

.macro group
    second_order
    vbroadcastss zmm8, [rsi + 132]
    eight_columns 28, 0
    eight_columns 29, 8
    vaddps zmm8, zmm8, zmm9
    take_scales 12, 13
    vfnmadd231ps zmm8, zmm13, dword ptr [rsi + 128]{1to16}
    dot zmm8
.endm

    sequence_functions
#else
#include "micro/sequences/mixed_groups.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    mixed_groups_refer(mixed_groups4, data, 0, 16, 16 * dot, 16, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    mixed_groups_fill(mixed_groups4, weights, activations, seed);
    double beside = 0;
    for (uint32_t c = 0; c < 16; c++) {
        double x = blocks_float(activations + 4 * c) * (c % 2 ? 16 : 256);
        blocks_put_float(activations + 64 + 4 * c, x, 1);
        beside += x;
    }
    mixed_groups_put_sums(mixed_groups4, activations, activations + 128);
    blocks_put_float(activations + 132, -beside, 1);
}
#endif
