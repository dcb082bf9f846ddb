/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit weights bit by bit (layout.h, 32 of the rows), exact: tables hold the sums of the activations of set bits
 * less half of all, -254 ... 254, those of the upper bits twice that. A sum is 31 h + l with l within 15 and h within 8
 * and 16, so that 4 look-ups of either bit fit signed bytes; once a group they are unpacked to pairs, and vpmaddubsw
 * with 1 and 31 makes exact words. The halves, three for each four codes of 0 to 3, are added back once a row. 4
 * shifts, 8 ANDs, 16 vpshufb, 14 vpaddb, 6 to convert and add: 48 uops of arithmetic for 16 output vectors, 60 as
 * T-MAC does it.
 * Golden Cove: vpshufb and vpunpck 18 on p15: 48 / 3 >= 1.00. Zen 3: FP12 has 22: 48 / 4 >= 0.75. 53 uops issued: 48
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
#define ACTIVATION_BYTES 68
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_INT16
#define WEIGHT_BYTES     128
#include "micro/sequences/sequence_frame.h"

#define BASE 31

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

/* 4 codes in each of 4 registers, each less three times half the activations' sum, rounded down */
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    const int8_t *activations = (const int8_t *)data->activations + 64;
    int32_t all = activations[0] + activations[1] + activations[2] + activations[3];
    uint16_t *words = sum;
    for (uint32_t word = 0; word < 16; word++) {
        for (uint32_t quad = 0; quad < 4; quad++) {
            uint32_t byte = data->weights[32 * quad + unpacked_row(word, dot)];
            int32_t value = -3 * (all >> 1);
            for (uint32_t i = 0; i < 4; i++)
                value += (int32_t)((byte >> i & 1) + 2 * (byte >> (4 + i) & 1)) * activations[i];
            words[word] = (uint16_t)(words[word] + value);
        }
    }
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    (void)weights;
    int8_t *values = (int8_t *)activations + 64;
    reference_random_int8(values, 4, &seed);
    lookup_tables(activations, activations + 16, tmac_half_value, values, 1, BASE);
    lookup_tables(activations + 32, activations + 48, tmac_half_value, values, 2, BASE);
}

#endif
