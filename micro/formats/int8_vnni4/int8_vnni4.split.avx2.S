/* SPDX-License-Identifier: BSD-3-Clause
 *
 * int8 without VNNI, the activations split: a = 16 h + l with h in -8 … 8 and l in -8 … 7, once per activation vector. A
 * product pair of an unsigned weight u = w + 128 is then at most 255 * 8 * 2 = 4080, eight of them 32640: within a word, so
 * the products of eight registers along K are added as words before vpmaddwd by 16 and by 1. vpmaddubsw cannot saturate,
 * and no weight needs its sign apart. Exact for every a in -128 … 127.
 * 16 vpmaddubsw, 14 vpaddw, 2 vpmaddwd and 2 vpaddd for 8 output vectors.
 *
 *   Golden Cove        34 uops on p015, 18 of them multiplications on p01: >= 1.417
 *   Skylake            the same ports: >= 1.417; 34 uops, 4 a cycle: 1.06
 *   Haswell            multiplications on p0: 18 / 8: 2.25, worse than the 2.0 of int8_vnni4.dot
 *   Zen 3              34 on 4 pipes, 18 multiplications on 2: >= 1.125; 16 loads, 2 a cycle: 1.0
 *
 * int8_vnni4.dot takes 5 uops a vector, 4 of them on p01: 2.0. One vpmaddwd of whole words by the even activations and one of
 * the odd bytes (vpsraw 8) by a_odd - 256 a_even, which just fits a word, is exact too and takes 5: 1.67.
 * The activations, two bytes each, are memory operands: two loads a vector.
 *
 *   ymm0-3 accumulators   ymm4 sums of h   ymm5 sums of l   ymm6 product   ymm8-15 weights
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            32.0
#define GROUP_DOTS       1
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             4
#define WEIGHT_BYTES     256
#define ACTIVATION_BYTES 768 /* 256 of h, of l, of a */
#define ACTIVATION_FILL  FILL_OWN
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
    .section .rodata
    .balign 32
.Lsixteens: .fill 16, 2, 16
.Lones: .fill 16, 2, 1

.macro load_constants
.endm

.macro load_weights base, offset
    vmovdqu ymm8, [\base + \offset]
    vmovdqu ymm9, [\base + \offset + 32]
    vmovdqu ymm10, [\base + \offset + 64]
    vmovdqu ymm11, [\base + \offset + 96]
    vmovdqu ymm12, [\base + \offset + 128]
    vmovdqu ymm13, [\base + \offset + 160]
    vmovdqu ymm14, [\base + \offset + 192]
    vmovdqu ymm15, [\base + \offset + 224]
.endm

.macro dot_into number, source
    vpaddd ymm\number, ymm\number, \source
.endm

.macro multiply weights, activations
    vpmaddubsw ymm6, \weights, [rsi + \activations]
    vpaddw ymm4, ymm4, ymm6
    vpmaddubsw ymm6, \weights, [rsi + \activations + 256]
    vpaddw ymm5, ymm5, ymm6
.endm

.macro group
    vpmaddubsw ymm4, ymm8, [rsi]
    vpmaddubsw ymm5, ymm8, [rsi + 256]
    multiply ymm9, 32
    multiply ymm10, 64
    multiply ymm11, 96
    multiply ymm12, 128
    multiply ymm13, 160
    multiply ymm14, 192
    multiply ymm15, 224
    vpmaddwd ymm4, ymm4, [rip + .Lsixteens]
    vpmaddwd ymm5, ymm5, [rip + .Lones]
    vpaddd ymm4, ymm4, ymm5
    dot ymm4
.endm

    sequence_functions
#else
/** From the activations before they were split. */
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)dot, (void)magnitude;
    int32_t *lanes = sum;
    for (unsigned i = 0; i < WEIGHT_BYTES; i++)
        lanes[i % 32 / 4] += data->weights[i] * (int8_t)data->activations[512 + i];
}

/** Any bytes; one seed in four with activations of one value only, so that some meet each bound in every word. */
void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    static const int8_t ends[] = {-128, 127, -8, 120};
    (void)weights;
    uint64_t state = seed;
    for (unsigned i = 0; i < WEIGHT_BYTES; i++) {
        int32_t a = (int8_t)(sequence_random(&state) >> 56);
        if (seed % 4 == 0)
            a = ends[seed / 4 % 4];
        int32_t low = ((a + 8) & 15) - 8;
        activations[i] = (uint8_t)((a - low) / 16);
        activations[256 + i] = (uint8_t)low;
        activations[512 + i] = (uint8_t)a;
    }
}
#endif
