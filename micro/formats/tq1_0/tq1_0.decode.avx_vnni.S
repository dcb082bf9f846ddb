/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TQ1_0 of one row, two digits at a time (decode.avx2.c), multiplied by vpdpbusd: the even ones of its eight dot
 * products start from minus the sums of the activations, the odd ones from zero. 32 bytes: 6 vpmaddubsw, 9 to join even
 * and odd bytes, 4 vpshufb; 16 and 4 bytes: 2 vpmovzxbw, 5 vpmaddubsw, 6 to join, 2 vpshufb; 8 vpdpbusd, 2 loads to
 * start and 1 to join the sums, 5 for the scales: 50 uops for 8 output vectors.
 * Golden Cove: 28 on p01, the start on none: 48 / 3 >= 2.00.
 *
 *   ymm0-2 accumulators   ymm3-5, ymm10 temporaries   ymm6, ymm7 sums   ymm8, ymm9 first, second digit of a pair
 *   ymm10 also the block's scale   ymm11 scale of the activations
 *   xmm12 scale of the block, xmm13 the four bytes, repeated   xmm14 the 16 bytes   ymm15 the 32 bytes
 *   [rsi] struct ternary_activations, at 384 the activations in the order of the codes
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            6.75
#define GROUP_DOTS       1
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             3
#define WEIGHT_BYTES     54
#define ACTIVATION_BYTES 640
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

#define ORDERED 384

    .section .rodata
    .balign 32
.Lzeros: .fill 32, 1, 0
.Lupper: .fill 16, 2, 0xff00
.Lby_nine_even: .fill 16, 2, 9
.Lby_nine_odd: .fill 16, 2, 9 << 8
.Lby_three_even: .fill 16, 2, 3
.Lby_powers: .short 1, 1, 1, 1, 3, 3, 3, 3, 9, 9, 9, 9, 27, 27, 27, 27
.Lfirst_digit: .byte 0, 0, 0, 1, 1, 1, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0
    .byte 0, 0, 0, 1, 1, 1, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0
.Lsecond_digit: .byte 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0
    .byte 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0

.macro load_constants
    vbroadcastss ymm11, [rsi + 288]
    vmovdqa ymm8, [rip + .Lfirst_digit]
    vmovdqa ymm9, [rip + .Lsecond_digit]
.endm

.macro load_weights base, offset
    vmovdqu ymm15, [\base + \offset]
    vmovdqu xmm14, [\base + \offset + 32]
    vpbroadcastd xmm13, [\base + \offset + 48]
    vpbroadcastw xmm12, [\base + \offset + 52]
.endm

.macro dot_into number, source
    vfmadd231ps ymm\number, \source, ymm10
.endm

/* the upper bytes of the words of even bytes and of odd ones, each in its place */
.macro join to, even, odd
    vpsrlw \to, \even, 8
    vpand ymm10, \odd, [rip + .Lupper]
    vpor \to, \to, ymm10
.endm

.macro add_products to, codes, activations
    {vex} vpdpbusd \to, \codes, [rsi + ORDERED + \activations]
.endm

.macro part_and_add pairs, first, second
    vpshufb ymm10, ymm8, \pairs
    vpshufb \pairs, ymm9, \pairs
    add_products ymm6, ymm10, \first
    add_products ymm7, \pairs, \second
.endm

/* zeros are loaded: LLVM's model of the core does not know that vpxor makes them, and would chain the blocks */
.macro group
    vmovdqu ymm6, [rsi + 292]
    vmovdqa ymm7, [rip + .Lzeros]
    vpmaddubsw ymm4, ymm15, [rip + .Lby_nine_even]
    vpmaddubsw ymm5, ymm15, [rip + .Lby_nine_odd]
    join ymm3, ymm4, ymm5
    part_and_add ymm3, 0, 32
    vpmaddubsw ymm4, ymm4, [rip + .Lby_nine_even]
    vpmaddubsw ymm5, ymm5, [rip + .Lby_nine_even]
    join ymm3, ymm4, ymm5
    part_and_add ymm3, 64, 96
    vpmaddubsw ymm4, ymm4, [rip + .Lby_three_even]
    vpmaddubsw ymm5, ymm5, [rip + .Lby_three_even]
    join ymm3, ymm4, ymm5
    add_products ymm6, ymm3, 128
    vpmovzxbw ymm4, xmm14
    vpmaddubsw ymm4, ymm4, [rip + .Lby_nine_even]
    vpmaddubsw ymm5, ymm4, [rip + .Lby_nine_even]
    join ymm3, ymm4, ymm5
    part_and_add ymm3, 160, 192
    vpmovzxbw ymm4, xmm13
    vpmaddubsw ymm5, ymm5, [rip + .Lby_three_even]
    vpmaddubsw ymm4, ymm4, [rip + .Lby_powers]
    vpmaddubsw ymm4, ymm4, [rip + .Lby_three_even]
    join ymm3, ymm5, ymm4
    add_products ymm7, ymm3, 224
    vcvtph2ps ymm10, xmm12
    vpaddd ymm6, ymm6, ymm7
    vmulps ymm10, ymm10, ymm11
    vcvtdq2ps ymm6, ymm6
    dot ymm6
.endm

    sequence_functions

#else

#include "micro/families/lookup/ternary_block.h"

/* Weight whose code stands at place 32 r + p: the 32 bytes in their order, then digits 0, 2 and 1, 3 of the 16 bytes in
 * turns, then their digit 4 and the four bytes in turns. */
static uint32_t weight_at(uint32_t place)
{
    if (place < 160)
        return place;
    uint32_t digit = place % 2 * 2 + (place - 160) / 32, byte = place % 32 / 2;
    if (place < 224)
        return 160 + 16 * digit + byte;
    return place % 2 ? 240 + byte : 160 + 16 * 4 + byte;
}

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)dot;
    tq1_0_row(data, weight_at, sum, magnitude);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    ternary_fill(weights, 52, 1, activations, seed);
    for (uint32_t place = 0; place < TERNARY_BLOCK; place++)
        activations[384 + place] = activations[weight_at(place)];
}

#endif
