/* SPDX-License-Identifier: BSD-3-Clause
 *
 * int8 without VNNI, two columns as one word: even columns unsigned, u = w + 128, odd ones signed, so that a word is
 * e + 256 o. One vpmaddwd multiplies whole words by the even activation, a second the odd bytes (vpsraw 8) by what is then
 * missing:
 *
 *     (e + 256 o) a_e  +  o (a_o - 256 a_e)  =  e a_e + o a_o
 *
 * and a_o - 256 a_e, at most 127 + 256 * 127 = 32639, just fits a word. Exact for activations in [-127, 127]; sums of two
 * products stay below 2^31, and accumulators may wrap on the way.
 * 2 vpmaddwd, 1 vpsraw, 2 vpaddd for one output vector.
 *
 *   Golden Cove        5 uops on p015, 3 of them on p01: >= 1.667      Skylake   the same
 *   Haswell            vpmaddwd, vpsraw p0: 3.0, worse than the 2.0 of int8_vnni4.dot
 *   Zen 3              5 on 4 pipes, vpmaddwd on 2, vpsraw on the other 2: >= 1.25
 *
 * int8_vnni4.dot has 4 uops on p01: 2.0. int8_vnni4.split has 4.25 uops, but wants eight registers along K at a time.
 *
 *   ymm0-7 accumulators   ymm8, ymm9 products   ymm12 a_e   ymm13 a_o - 256 a_e   ymm14 weights
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            32.0
#define GROUP_DOTS       1
#define LEAST            1
#define MOST             8
#define ACTIVATION_BYTES 64 /* 16 words a_e, 16 words a_o - 256 a_e */
#define ACTIVATION_FILL  FILL_OWN
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
.macro load_constants
    vmovdqu ymm12, [rsi]
    vmovdqu ymm13, [rsi + 32]
.endm

.macro load_weights base, offset
    vmovdqu ymm14, [\base + \offset]
.endm

.macro dot_into number, source
    vpmaddwd ymm8, \source, ymm12
    vpsraw ymm9, \source, 8
    vpmaddwd ymm9, ymm9, ymm13
    vpaddd ymm8, ymm8, ymm9
    vpaddd ymm\number, ymm\number, ymm8
.endm

.macro group
    dot ymm14
.endm

    sequence_functions
#else
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)dot, (void)magnitude;
    int32_t *lanes = sum;
    for (unsigned i = 0; i < 16; i++) {
        int16_t even, rest;
        memcpy(&even, data->activations + 2 * i, 2);
        memcpy(&rest, data->activations + 32 + 2 * i, 2);
        int32_t odd = rest + 256 * even;
        lanes[i / 2] += data->weights[2 * i] * even + (int8_t)data->weights[2 * i + 1] * odd;
    }
}

/** Pairs of activations -127 … 127; one seed in four with the ends only. */
void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    (void)weights;
    uint64_t state = seed;
    for (unsigned i = 0; i < 16; i++) {
        uint64_t random = sequence_random(&state);
        int32_t even = (int32_t)(random % 255) - 127, odd = (int32_t)((random >> 32) % 255) - 127;
        if (seed % 4 == 0) {
            even = random & 1 ? 127 : -127;
            odd = random & 2 ? 127 : -127;
        }
        int16_t rest = (int16_t)(odd - 256 * even), first = (int16_t)even;
        memcpy(activations + 2 * i, &first, 2);
        memcpy(activations + 32 + 2 * i, &rest, 2);
    }
}
#endif
