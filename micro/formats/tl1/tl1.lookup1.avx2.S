/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TL1, exact look-ups of 16-bit sums: byte r holds for row r the index of weights 0, 1 in its lower and of 2, 3 in its
 * upper nibble, 9 of 16. The table of a pair is two of bytes, looked up apart and unpacked to words: the paper's _1. 1
 * shift, 2 ANDs, 4 vpshufb, 4 vpunpck, 4 vpaddw: 15 uops for 4 output vectors. (Sums of 127 * 2 fill 16 bits after 129
 * pairs; to widen 32 rows takes 10 uops, 0.02 a vector, not in the group.)
 * Golden Cove: vpshufb and vpunpck p15, vpsrlw p01: 15 / 3 >= 1.25. Zen 3: FP12 has 9: >= 1.13.
 *
 * Tables stay in registers, as for many rows of the same columns; a walk along K loads two for each pair of columns.
 *
 *   ymm0-5 accumulators: rows 0-7 and 16-23, rows 8-15 and 24-31, in turns   ymm6-8 temporaries   ymm9, ymm10 indices
 *   ymm11 weights   ymm12-15 tables: low and high bytes of the first pair, of the second
 */
#define ORIGIN           "bitnet-cpp"
#define CLAIMED          0.0
#define BYTES            8.0
#define GROUP_DOTS       4
#define GROUP_VECTORS    4
#define LEAST            2
#define MOST             6
#define ACTIVATION_BYTES 68
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_INT16
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

    .section .rodata
    .balign 32
.Lnibble: .fill 32, 1, 0x0f

.macro load_constants
    vbroadcasti128 ymm12, [rsi]
    vbroadcasti128 ymm13, [rsi + 16]
    vbroadcasti128 ymm14, [rsi + 32]
    vbroadcasti128 ymm15, [rsi + 48]
.endm

.macro load_weights base, offset
    vmovdqu ymm11, [\base + \offset]
.endm

.macro dot_into number, source
    vpaddw ymm\number, ymm\number, \source
.endm

.macro look_up index, low, high
    vpshufb ymm6, \low, \index
    vpshufb ymm7, \high, \index
    vpunpcklbw ymm8, ymm6, ymm7
    vpunpckhbw ymm6, ymm6, ymm7
    dot ymm8
    dot ymm6
.endm

.macro group
    vpsrlw ymm10, ymm11, 4
    vpand ymm9, ymm11, [rip + .Lnibble]
    vpand ymm10, ymm10, [rip + .Lnibble]
    look_up ymm9, ymm12, ymm13
    look_up ymm10, ymm14, ymm15
.endm

    sequence_functions

#else

#include "micro/families/lookup/lookup_table.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    uint32_t pair = dot / 2;
    const int8_t *activations = (const int8_t *)data->activations + 64 + 2 * pair;
    uint16_t *words = sum;
    for (uint32_t word = 0; word < 16; word++) {
        uint32_t byte = data->weights[unpacked_row(word, dot % 2)], index = byte >> 4 * pair & 15;
        words[word] = (uint16_t)(words[word] + tl1_value(index, activations));
    }
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    (void)weights;
    int8_t *values = (int8_t *)activations + 64;
    reference_random_int8(values, 4, &seed);
    for (uint32_t pair = 0; pair < 2; pair++)
        lookup_tables(activations + 32 * pair, activations + 32 * pair + 16, tl1_value, values + 2 * pair, 1, 256);
}

#endif
