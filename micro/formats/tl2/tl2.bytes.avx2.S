/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TL2 (layout: tl2.lookup1.avx2.S), exact look-ups negated and added up as bytes: a sum of three activations is 29 h +
 * l with l and h within 14 (381 = 29 * 13 + 4), so that 8 look-ups of each fit signed bytes, and -(29 h + l) is both of
 * them negated: one vpsignb each. Once a tile they are unpacked to pairs, and vpmaddubsw with 1 and 29 makes exact
 * words. The sign bits move to the top of their bytes by vpaddb; a 1 behind them keeps the byte from being zero. 12 for
 * the indices, 9 for the signs, 16 vpshufb, 16 vpsignb, 14 vpaddb, 6 to convert and add: 73 uops of arithmetic for
 * 24 output vectors, where the paper's exact look-up takes 124.
 * Golden Cove: vpshufb and vpunpck 18 on p15, vpsignb, shifts and vpmaddubsw 23 on p01: 73 / 3 >= 1.01. Zen 3: 73 / 4
 * >= 0.76. 80 uops issued: 73 of arithmetic, 2 loads, 5 copies.
 *
 *   ymm0-1 accumulators   the others: tl2.bytes.avx2.inc
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            6.667
#define GROUP_DOTS       2
#define GROUP_VECTORS    24
#define LEAST            2
#define MOST             2
#define WEIGHT_BYTES     160
#define ACTIVATION_BYTES 35
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_INT16
#include "micro/sequences/sequence_frame.h"

#define BASE     29
#define TOGETHER 8

#ifdef __ASSEMBLER__

#include "micro/formats/tl2/tl2.bytes.avx2.inc"

.macro load_constants
    vbroadcasti128 ymm4, [rsi]
    vbroadcasti128 ymm5, [rsi + 16]
    step_constants
.endm

.macro load_weights base, offset
    vmovdqu ymm11, [\base + \offset]
    vmovdqu ymm12, [\base + \offset + 32]
    vmovdqu ymm13, [\base + \offset + 64]
    vmovdqu ymm14, [\base + \offset + 96]
    vmovdqu ymm7, [\base + \offset + 128]
.endm

.macro triple number, nibbles
    sign_of \number, ymm6, ymm7
    look_up \number, ymm2, ymm3, ymm6, ymm4, ymm5, \nibbles
.endm

/* copies of weights are a kernel's loads of them: eliminated at rename, they take no port */
.macro group
    triple 0, ymm11
    triple 1, ymm11
    triple 2, ymm12
    triple 3, ymm12
    triple 4, ymm13
    triple 5, ymm13
    triple 6, ymm14
    triple 7, ymm14
    words_begin
    dot_words ymm2, ymm3
.endm

    sequence_functions

#else

#include "micro/families/lookup/lookup_table.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    const int8_t *activations = (const int8_t *)data->activations + 32;
    uint16_t *words = sum;
    for (uint32_t word = 0; word < 16; word++) {
        for (uint32_t triple = 0; triple < 8; triple++) {
            int32_t value = tl2_tile_value(data->weights, 32, unpacked_row(word, dot), triple, activations);
            words[word] = (uint16_t)(words[word] + value);
        }
    }
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    (void)weights;
    int8_t *values = (int8_t *)activations + 32;
    reference_random_int8(values, 3, &seed);
    lookup_tables(activations, activations + 16, tl2_value, values, 1, BASE);
}

#endif
