/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ELUT(5, 2), mirrored (layout: micro/formats/elut5/layout.h), in tiles as tl2.bytes.avx2.S with a pair in place of a triple: a
 * sum of two activations, each -2 … 2 times, is within 508, 63 h + l with l within 31 and h within 8, so that 4 look-ups of
 * each fit signed bytes and a tile of 8 is brought to words twice. 12 for the indices, 9 for the signs, 16 vpshufb, 16
 * vpsignb, 12 vpaddb, 12 to convert and add: 77 uops of arithmetic for 16 output vectors.
 * Golden Cove: vpshufb and vpunpck 20 on p15, 77 / 3 >= 1.60. Zen 3: 77 / 4 >= 1.20. 85 uops issued: 77 of arithmetic,
 * 3 loads, 5 copies.
 *
 *   ymm0-1 accumulators   the others: tl2.bytes.avx2.inc
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            10.0
#define GROUP_DOTS       4
#define GROUP_VECTORS    16
#define LEAST            2
#define MOST             2
#define WEIGHT_BYTES     160
#define ACTIVATION_BYTES 34
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_INT16
#include "micro/sequences/sequence_frame.h"

#define BASE     63
#define TOGETHER 4

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

.macro pair number, nibbles
    sign_of \number, ymm6, ymm7
    look_up \number, ymm2, ymm3, ymm6, ymm4, ymm5, \nibbles
.endm

/* copies of weights are a kernel's loads of them: eliminated at rename, they take no port */
.macro group
    pair 0, ymm11
    pair 1, ymm11
    pair 2, ymm12
    pair 3, ymm12
    words_begin
    dot_words ymm2, ymm3
    pair 4, ymm13
    pair 5, ymm13
    pair 6, ymm14
    pair 7, ymm14
    words_begin
    dot_words ymm2, ymm3
.endm

    sequence_functions

#else

#include "micro/families/lookup/lookup_table.h"

/** Dots 0 and 1 are of the first four pairs. */
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    const int8_t *activations = (const int8_t *)data->activations + 32;
    uint16_t *words = sum;
    for (uint32_t word = 0; word < 16; word++) {
        for (uint32_t pair = dot / 2 * TOGETHER; pair < (dot / 2 + 1) * TOGETHER; pair++) {
            int32_t value =
                lookup_tile_value(data->weights, 32, unpacked_row(word, dot % 2), pair, elut5_value, activations);
            words[word] = (uint16_t)(words[word] + value);
        }
    }
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    (void)weights;
    int8_t *values = (int8_t *)activations + 32;
    reference_random_int8(values, 2, &seed);
    lookup_tables(activations, activations + 16, elut5_value, values, 1, BASE);
}

#endif
