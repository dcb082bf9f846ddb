/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Exact look-ups of tiles negated and added up as bytes: BASE * h + l, and -(BASE * h + l) is both of them negated: one vpsignb each. Once bytes are full they
 * are unpacked to pairs, and vpmaddubsw with 1 and BASE makes exact words. The sign bits move to the top of their bytes by vpaddb; a 1 after them keeps the
 * byte from being zero. 12 for the indices, 9 for the signs, 16 vpshufb, 16 vpsignb, and
 *
 *   tl2     (tl2/layout.h) a sum of three activations is 29 h + l with l and h within 14 (381 = 29 * 13 + 4), so that 8 look-ups of each fit
 *           signed bytes: once a tile. 14 vpaddb, 6 to convert and add: 80 issued: 73 of arithmetic, 2 loads, 5 copies, for 24 output vectors, where the
 *           paper's exact look-up takes 124.
 *           Golden Cove: vpshufb and vpunpck 18 on p15, vpsignb, shifts and vpmaddubsw 23 on p01: 73 / 3 >= 1.01. Zen 3: 73 / 4 >= 0.76
 *   elut5   ELUT(5, 2), mirrored (micro/formats/elut5/layout.h), with a pair in place of a triple: a sum of two activations, each -2 … 2 times, is within 508,
 *           63 h + l with l within 31 and h within 8, so that 4 look-ups of each fit and a tile of 8 is brought to words twice. 12 vpaddb, 12 to convert and
 *           add: 85 issued: 77 of arithmetic, 3 loads, 5 copies, for 16 output vectors. vpshufb and vpunpck 20 on p15, 77 / 3 >= 1.60. Zen 3: 77 / 4 >= 1.20
 *
 *   ymm0-1 accumulators   the others: tl2.bytes.avx2.inc
 */
#ifdef PAIRS
#define BASE             63
#define TOGETHER         4
#define BYTES            10.0
#define GROUP_DOTS       4
#define GROUP_VECTORS    16
#define ACTIVATION_BYTES 34
#else
#define BASE             29
#define TOGETHER         8
#define BYTES            6.667
#define GROUP_DOTS       2
#define GROUP_VECTORS    24
#define ACTIVATION_BYTES 35
#endif
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define LEAST            2
#define MOST             2
#define WEIGHT_BYTES     160
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_INT16
#include "micro/sequences/sequence_frame.h"

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

/* copies of weights are a kernel's loads of them: eliminated at rename, they take no port */
.macro look_up_signed number, nibbles
    sign_of \number, ymm6, ymm7
    look_up \number, ymm2, ymm3, ymm6, ymm4, ymm5, \nibbles
    .if (\number + 1) % TOGETHER == 0
    words_begin
    dot_words ymm2, ymm3
    .endif
.endm

.macro group
    look_up_signed 0, ymm11
    look_up_signed 1, ymm11
    look_up_signed 2, ymm12
    look_up_signed 3, ymm12
    look_up_signed 4, ymm13
    look_up_signed 5, ymm13
    look_up_signed 6, ymm14
    look_up_signed 7, ymm14
.endm

    sequence_functions

#else

#include "micro/families/lookup/lookup_table.h"

#ifdef PAIRS
#define VALUE elut5_value
enum { INDEX_WEIGHTS = 2 };
#else
#define VALUE tl2_value
enum { INDEX_WEIGHTS = 3 };
#endif

/** Dots 0 and 1 are of the first look-ups that bytes hold. */
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    const int8_t *activations = (const int8_t *)data->activations + 32;
    uint16_t *words = sum;
    for (uint32_t word = 0; word < 16; word++) {
        for (uint32_t number = dot / 2 * TOGETHER; number < (dot / 2 + 1) * TOGETHER; number++) {
            int32_t value =
                lookup_tile_value(data->weights, 32, unpacked_row(word, dot % 2), number, VALUE, activations);
            words[word] = (uint16_t)(words[word] + value);
        }
    }
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    (void)weights;
    int8_t *values = (int8_t *)activations + 32;
    reference_random_int8(values, INDEX_WEIGHTS, &seed);
    lookup_tables(activations, activations + 16, VALUE, values, 1, BASE);
}

#endif
