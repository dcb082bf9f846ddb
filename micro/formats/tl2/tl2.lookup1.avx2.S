/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TL2, exact look-ups of 16-bit sums: a nibble is the index of three weights, 14 of 16, and a sign bit apart negates
 * their sum. A tile of 32 rows and 8 triples is 4 registers of nibbles, two a byte, and one of signs (lookup_table.h).
 * Low and high bytes are looked up apart and unpacked to words, negated as (x + m) ^ m with the sign spread to a mask
 * m: the paper's _1 and its Eq. (5). A triple: 1.5 for the index, 2 vpshufb, 2 vpunpck, 4 shifts, 2 vpaddw and 2 vpxor
 * to negate, 2 vpaddw; a tile 2 to bring its signs to words: 124 uops for 24 output vectors. (Sums of 127 * 3 fill 16
 * bits after 86 triples; to widen 32 rows takes 10 uops, 0.01 a vector, not in the group.)
 * Golden Cove: vpshufb and vpunpck 34 on p15, shifts 34 on p01: 124 / 3 >= 1.72. Zen 3: both on FP12, 68: >= 1.42.
 *
 * Tables stay in registers, as for many rows of the same columns; a walk along K loads two for each triple of columns.
 *
 *   ymm0, ymm1 accumulators: rows 0-7 and 16-23, rows 8-15 and 24-31   ymm2, ymm3 signs as words   ymm4-8 temporaries
 *   ymm9, ymm10 tables of low, high bytes   ymm11 signs   ymm12-15 nibbles
 */
#define ORIGIN           "bitnet-cpp"
#define CLAIMED          0.0
#define BYTES            6.667
#define GROUP_DOTS       16
#define GROUP_VECTORS    24
#define LEAST            2
#define MOST             2
#define WEIGHT_BYTES     160
#define ACTIVATION_BYTES 35
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_INT16
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

    .section .rodata
    .balign 32
.Lnibble: .fill 32, 1, 0x0f

.macro load_constants
    vbroadcasti128 ymm9, [rsi]
    vbroadcasti128 ymm10, [rsi + 16]
.endm

.macro load_weights base, offset
    vmovdqu ymm12, [\base + \offset]
    vmovdqu ymm13, [\base + \offset + 32]
    vmovdqu ymm14, [\base + \offset + 64]
    vmovdqu ymm15, [\base + \offset + 96]
    vmovdqu ymm11, [\base + \offset + 128]
.endm

.macro dot_into number, source
    vpaddw ymm\number, ymm\number, \source
.endm

.macro add_signed words, signs, triple
    .if \triple == 0
    vpsraw ymm8, \signs, 15
    .else
    vpsllw ymm8, \signs, \triple
    vpsraw ymm8, ymm8, 15
    .endif
    vpaddw \words, \words, ymm8
    vpxor \words, \words, ymm8
    dot \words
.endm

.macro look_up index, triple
    vpshufb ymm5, ymm9, \index
    vpshufb ymm6, ymm10, \index
    vpunpcklbw ymm7, ymm5, ymm6
    vpunpckhbw ymm5, ymm5, ymm6
    add_signed ymm7, ymm2, \triple
    add_signed ymm5, ymm3, \triple
.endm

.macro group
    vpunpcklbw ymm2, ymm11, ymm11
    vpunpckhbw ymm3, ymm11, ymm11
    .set triple, 0
    .irp nibbles, ymm12, ymm13, ymm14, ymm15
    vpand ymm4, \nibbles, [rip + .Lnibble]
    look_up ymm4, %(triple)
    vpsrlw ymm4, \nibbles, 4
    vpand ymm4, ymm4, [rip + .Lnibble]
    look_up ymm4, %(triple + 1)
    .set triple, triple + 2
    .endr
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
        int32_t value = tl2_tile_value(data->weights, 32, unpacked_row(word, dot % 2), dot / 2, activations);
        words[word] = (uint16_t)(words[word] + value);
    }
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    (void)weights;
    int8_t *values = (int8_t *)activations + 32;
    reference_random_int8(values, 3, &seed);
    lookup_tables(activations, activations + 16, tl2_value, values, 1, 256);
}

#endif
