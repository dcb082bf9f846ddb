/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TL1 (layout.h, 32 of the rows), exact look-ups added up as bytes: a sum of two activations is 23 h + l with l and h
 * within 11 (254 = 23 * 11 + 1), so that 8 look-ups of each fit signed bytes. Once a group of 8 they are unpacked to
 * pairs, and vpmaddubsw with 1 and 23 makes exact words of them: one conversion for 8 look-ups in place of 8. 4 shifts,
 * 8 ANDs, 16 vpshufb, 14 vpaddb, and to convert 2 vpunpck, 2 vpmaddubsw, 2 vpaddw: 48 uops of arithmetic for 16
 * output vectors, where the paper's exact look-up takes 60.
 * Golden Cove: vpshufb and vpunpck p15, 18: 48 / 3 >= 1.00. Zen 3: FP12 has 22: 48 / 4 >= 0.75. 53 uops issued: 48
 * of arithmetic, 1 load, 4 copies.
 *
 *   ymm0-1 accumulators   the others: lookup_bytes.avx2.inc
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            8.0
#define GROUP_DOTS       2
#define GROUP_VECTORS    16
#define LEAST            2
#define MOST             2
#define WEIGHT_BYTES     128
#define ACTIVATION_BYTES 68
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_INT16
#include "micro/sequences/sequence_frame.h"

#define BASE 23

#ifdef __ASSEMBLER__

#include "micro/families/lookup/lookup_bytes.avx2.inc"

.macro load_constants
    vbroadcasti128 ymm4, [rsi]
    vbroadcasti128 ymm5, [rsi + 16]
    vbroadcasti128 ymm6, [rsi + 32]
    vbroadcasti128 ymm7, [rsi + 48]
    step_constants
.endm

.macro load_weights base, offset
    vmovdqu ymm11, [\base + \offset]
    vmovdqu ymm12, [\base + \offset + 32]
    vmovdqu ymm13, [\base + \offset + 64]
    vmovdqu ymm14, [\base + \offset + 96]
.endm

.macro line number, weights
    look_up %(2 * \number), ymm2, ymm3, ymm4, ymm5, \weights
    look_up %(2 * \number + 1), ymm2, ymm3, ymm6, ymm7, \weights
.endm

/* copies of weights are a kernel's loads of them: eliminated at rename, they take no port */
.macro group
    line 0, ymm11
    line 1, ymm12
    line 2, ymm13
    line 3, ymm14
    words_begin
    dot_words ymm2, ymm3
.endm

    sequence_functions

#else

#include "micro/families/lookup/lookup_table.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    const int8_t *activations = (const int8_t *)data->activations + 64;
    uint16_t *words = sum;
    for (uint32_t word = 0; word < 16; word++) {
        for (uint32_t quad = 0; quad < 4; quad++) {
            uint32_t byte = data->weights[32 * quad + unpacked_row(word, dot)];
            words[word] = (uint16_t)(words[word] + tl1_value(byte & 15, activations) + tl1_value(byte >> 4, activations + 2));
        }
    }
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    (void)weights;
    int8_t *values = (int8_t *)activations + 64;
    reference_random_int8(values, 4, &seed);
    for (uint32_t pair = 0; pair < 2; pair++)
        lookup_tables(activations + 32 * pair, activations + 32 * pair + 16, tl1_value, values + 2 * pair, 1, BASE);
}

#endif
