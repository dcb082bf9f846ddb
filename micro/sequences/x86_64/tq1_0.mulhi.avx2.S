/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TQ1_0 (layout: micro/sequences/ternary_block.h) of one row, by multiplication: digit n of a byte b is the upper half
 * of the word (b 3^n mod 256) 256 times 3. Even and odd bytes are words apart, so that a digit of 32 bytes takes
 * vpmullw and vpmulhuw twice and a vpackuswb; the 16 bytes and the four are words at once. 16-bit sums of the block
 * (digits up to 2 reach 4064) less those of the activations, then 32 bits, float, both scales. The activations lie in
 * the order of the packs. 32 bytes: 2 to part, 8 vpmullw, 10 vpmulhuw, 5 vpackuswb; 16 and 4 bytes: 2 vpmovzxbw, 5
 * vpmullw, 6 vpmulhuw, 3 vpackuswb; 8 vpmaddubsw, 7 vpaddw, 1 vpsubw, 1 vpmaddwd, 5 for the scales: 63 uops for 8
 * output vectors.
 * Golden Cove: 43 on p01: >= 2.69. Zen 3: multiplies 41 on FP03: >= 2.56.
 *
 *   ymm0-2 accumulators   ymm3 threes   ymm4, ymm5 even and odd bytes   ymm6, ymm7 digits   ymm8 sums
 *   ymm9 more even bytes   ymm10 block's scale   ymm11 scale of the activations
 *   xmm12 scale of the block, xmm13 the four bytes, repeated   xmm14 the 16 bytes   ymm15 the 32 bytes
 *   [rsi] struct ternary_activations, at 384 the activations in the order of the codes
 */
#define FORMAT           "tq1_0"
#define SEQUENCE         "mulhi"
#define ORIGIN           "bitnet-cpp"
#define CLAIMED          0.0
#define BYTES            6.75
#define GROUP_DOTS       1
#define GROUP_UOPS       63
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
.Lones: .fill 16, 2, 1
.Leven: .fill 16, 2, 0xff
.Lthrees: .fill 16, 2, 3
.Lthrees_above: .fill 16, 2, 3 << 8
.Lnines_above: .fill 16, 2, 9 << 8
.Ltwenty_sevens_above: .fill 16, 2, 27 << 8
.Leighty_ones_above: .fill 16, 2, 81 << 8
.Lpowers_above: .short 1 << 8, 1 << 8, 1 << 8, 1 << 8, 3 << 8, 3 << 8, 3 << 8, 3 << 8
    .short 9 << 8, 9 << 8, 9 << 8, 9 << 8, 27 << 8, 27 << 8, 27 << 8, 27 << 8

.macro load_constants
    vmovdqa ymm3, [rip + .Lthrees]
    vbroadcastss ymm11, [rsi + 288]
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

/* one digit of bytes in the lower halves of words; power: 256 times 3^n */
.macro digit to, source, power
    vpmullw \to, \source, [rip + \power]
    vpmulhuw \to, \to, ymm3
.endm

.macro add_products to, codes, activations
    vpmaddubsw \codes, \codes, [rsi + ORDERED + \activations]
    vpaddw \to, \to, \codes
.endm

.macro digit_of_32 power, activations
    digit ymm6, ymm4, \power
    digit ymm7, ymm5, \power
    vpackuswb ymm6, ymm6, ymm7
    add_products ymm8, ymm6, \activations
.endm

.macro group
    vpand ymm4, ymm15, [rip + .Leven]
    vpsrlw ymm5, ymm15, 8
    vpmulhuw ymm6, ymm4, [rip + .Lthrees_above]
    vpmulhuw ymm7, ymm5, [rip + .Lthrees_above]
    vpackuswb ymm6, ymm6, ymm7
    vpmaddubsw ymm8, ymm6, [rsi + ORDERED]
    digit_of_32 .Lthrees_above, 32
    digit_of_32 .Lnines_above, 64
    digit_of_32 .Ltwenty_sevens_above, 96
    digit_of_32 .Leighty_ones_above, 128
    vpmovzxbw ymm9, xmm14
    vpmulhuw ymm6, ymm9, [rip + .Lthrees_above]
    digit ymm7, ymm9, .Lthrees_above
    vpackuswb ymm6, ymm6, ymm7
    add_products ymm8, ymm6, 160
    digit ymm6, ymm9, .Lnines_above
    digit ymm7, ymm9, .Ltwenty_sevens_above
    vpackuswb ymm6, ymm6, ymm7
    add_products ymm8, ymm6, 192
    digit ymm6, ymm9, .Leighty_ones_above
    vpmovzxbw ymm9, xmm13
    digit ymm7, ymm9, .Lpowers_above
    vpackuswb ymm6, ymm6, ymm7
    add_products ymm8, ymm6, 224
    vpsubw ymm8, ymm8, [rsi + 256]
    vcvtph2ps ymm10, xmm12
    vpmaddwd ymm8, ymm8, [rip + .Lones]
    vmulps ymm10, ymm10, ymm11
    vcvtdq2ps ymm8, ymm8
    dot ymm8
.endm

    sequence_functions

#else

#include "micro/sequences/ternary_block.h"

/* Weight whose code the packs leave at place 32 r + p: each half of a register has 8 words of the one and 8 of the other. */
static uint32_t weight_at(uint32_t place)
{
    uint32_t half = place % 32 / 16, other = place % 16 / 8, word = place % 8;
    if (place < 160) /* even bytes, odd bytes */
        return place / 32 * 32 + 16 * half + 2 * word + other;
    if (place >= 224 && other) /* the four bytes */
        return 240 + 8 * half + word;
    return 160 + ((place - 160) / 32 * 2 + other) * 16 + 8 * half + word;
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
