/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TL2 (layout.h), exact look-ups added up as bytes: sign and nibble together index the 32
 * signed sums in one vpermb, so that nothing is negated. A sum is 29 h + l with l and h within 14, 8 look-ups of each
 * fit signed bytes; once a tile they are unpacked to pairs, and vpmaddubsw with 1 and 29 makes exact words. vpternlogd
 * joins nibble and sign. vpermb takes 6 bits, so the sign may stand in bit 4 or 5, with a table of 64 for each place
 * that does not care for the other bit: one shift serves two sign bits, and bits 5 and 4 none. 7 shifts, 8 vpternlogd,
 * 1 copy (no port), 16 vpermb, 14 vpaddb, 6 to convert and add: 52 uops for 48 output vectors.
 * Golden Cove at 512 bits: 51 on p05, of which 18 are vpermb and vpunpck on p5 and 9 shifts and vpmaddubsw: >= 0.53.
 *
 *   zmm0-11 accumulators: lower and upper halves of each 16 rows, in turns   zmm12, zmm13 sums of l, h
 *   zmm14-19 temporaries   zmm20, zmm21 tables of l, h with the sign in bit 4, zmm22, zmm23 in bit 5   zmm24 1, 29
 *   zmm25 mask 0x0f   zmm26 signs   zmm28-31 nibbles
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            6.667
#define GROUP_DOTS       2
#define GROUP_VECTORS    48
#define LEAST            2
#define MOST             12
#define WEIGHT_BYTES     320
#define ACTIVATION_BYTES 259
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_INT16
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

/* vpternlogd first, second, mask: the mask's bits from the first, or from the second */
#define OF_FIRST 0xe4
#define OF_SECOND 0xd8

.macro load_constants
    mov eax, 1 + 29 * 256
    vpbroadcastw zmm24, eax
    mov eax, 0x0f0f0f0f
    vpbroadcastd zmm25, eax
    vmovdqu64 zmm20, [rsi]
    vmovdqu64 zmm21, [rsi + 64]
    vmovdqu64 zmm22, [rsi + 128]
    vmovdqu64 zmm23, [rsi + 192]
.endm

.macro load_weights base, offset
    vmovdqu64 zmm28, [\base + \offset]
    vmovdqu64 zmm29, [\base + \offset + 64]
    vmovdqu64 zmm30, [\base + \offset + 128]
    vmovdqu64 zmm31, [\base + \offset + 192]
    vmovdqu64 zmm26, [\base + \offset + 256]
.endm

.macro dot_into number, source
    vpaddw zmm\number, zmm\number, \source
.endm

.macro look_up index, low, high
    vpermb zmm18, \index, \low
    vpermb zmm19, \index, \high
    vpaddb zmm12, zmm12, zmm18
    vpaddb zmm13, zmm13, zmm19
.endm

/* both triples of a register; signs: theirs in bits 5 and 4, lost afterwards */
.macro two_triples nibbles, signs
    vpsrld zmm17, \nibbles, 4
    vpternlogd zmm17, \signs, zmm25, OF_FIRST
    vpternlogd \signs, \nibbles, zmm25, OF_SECOND
    look_up zmm17, zmm20, zmm21
    look_up \signs, zmm22, zmm23
.endm

.macro group
    vpsrld zmm14, zmm26, 2
    vpsrld zmm17, zmm28, 4
    vpternlogd zmm17, zmm14, zmm25, OF_FIRST
    vpternlogd zmm14, zmm28, zmm25, OF_SECOND
    vpermb zmm12, zmm17, zmm20
    vpermb zmm13, zmm17, zmm21
    look_up zmm14, zmm22, zmm23
    vmovdqa64 zmm15, zmm26
    two_triples zmm29, zmm15
    vpslld zmm16, zmm26, 2
    two_triples zmm30, zmm16
    vpslld zmm14, zmm26, 4
    two_triples zmm31, zmm14
    vpunpcklbw zmm14, zmm12, zmm13
    vpunpckhbw zmm15, zmm12, zmm13
    vpmaddubsw zmm14, zmm24, zmm14
    vpmaddubsw zmm15, zmm24, zmm15
    dot zmm14
    dot zmm15
.endm

    sequence_functions

#else

#include "micro/families/lookup/lookup_table.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    const int8_t *activations = (const int8_t *)data->activations + 256;
    uint16_t *words = sum;
    for (uint32_t word = 0; word < 32; word++) {
        for (uint32_t triple = 0; triple < 8; triple++) {
            int32_t value = tl2_tile_value(data->weights, 64, unpacked_row(word, dot), triple, activations);
            words[word] = (uint16_t)(words[word] + value);
        }
    }
}

/* 64 entries of each table: the nibble in bits 3:0, the sign in bit 4 or 5 */
void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    (void)weights;
    int8_t *values = (int8_t *)activations + 256;
    uint8_t low[TABLE_ENTRIES], high[TABLE_ENTRIES];
    reference_random_int8(values, 3, &seed);
    lookup_tables(low, high, tl2_value, values, 1, 29);
    for (uint32_t i = 0; i < 256; i++) {
        uint8_t entry = i / 64 % 2 ? high[i % 16] : low[i % 16];
        int is_negative = i % 64 >> (i < 128 ? 4 : 5) & 1;
        activations[i] = (uint8_t)(is_negative ? -entry : entry);
    }
}

#endif
