/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TL2 (layout: tl2.lookup1.avx2.S), exact look-ups negated and added up as bytes: a sum of three activations is 29 h +
 * l with l and h within 14 (381 = 29 * 13 + 4), so that 8 look-ups of each fit signed bytes, and -(29 h + l) is both of
 * them negated: one vpsignb each. Once a tile they are unpacked to pairs, and vpmaddubsw with 1 and 29 makes exact
 * words. The sign bits move to the top of their bytes by vpaddb; a 1 behind them keeps the byte from being zero. 12 for
 * the indices, 9 for the signs, 16 vpshufb, 16 vpsignb, 14 vpaddb, 6 to convert and add: 73 uops for 24 output vectors,
 * where the paper's exact look-up takes 124.
 * Golden Cove: vpshufb and vpunpck 18 on p15, vpsignb, shifts and vpmaddubsw 23 on p01: 73 / 3 >= 1.01. Zen 3: 73 / 4
 * >= 0.76.
 *
 *   ymm0, ymm1 accumulators: rows 0-7 and 16-23, rows 8-15 and 24-31   ymm2, ymm3 sums of l, h   ymm4-6 temporaries
 *   ymm7 1, 29   ymm8 signs, shifted   ymm9, ymm10 tables of l, h   ymm11 signs   ymm12-15 nibbles
 */
#define FORMAT           "tl2"
#define SEQUENCE         "bytes"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            6.667
#define GROUP_DOTS       2
#define GROUP_UOPS       73
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
.Lones: .fill 32, 1, 1

.macro load_constants
    mov eax, 1 + 29 * 256
    vmovd xmm7, eax
    vpbroadcastw ymm7, xmm7
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

.macro look_up index, signs
    vpshufb ymm5, ymm9, \index
    vpshufb ymm6, ymm10, \index
    vpsignb ymm5, ymm5, \signs
    vpsignb ymm6, ymm6, \signs
    vpaddb ymm2, ymm2, ymm5
    vpaddb ymm3, ymm3, ymm6
.endm

.macro group
    vpor ymm8, ymm11, [rip + .Lones]
    vpand ymm4, ymm12, [rip + .Lnibble]
    vpshufb ymm2, ymm9, ymm4
    vpshufb ymm3, ymm10, ymm4
    vpsignb ymm2, ymm2, ymm8
    vpsignb ymm3, ymm3, ymm8
    vpsrlw ymm4, ymm12, 4
    vpaddb ymm8, ymm8, ymm8
    vpand ymm4, ymm4, [rip + .Lnibble]
    look_up ymm4, ymm8
    .irp nibbles, ymm13, ymm14
    vpand ymm4, \nibbles, [rip + .Lnibble]
    vpaddb ymm8, ymm8, ymm8
    look_up ymm4, ymm8
    vpsrlw ymm4, \nibbles, 4
    vpaddb ymm8, ymm8, ymm8
    vpand ymm4, ymm4, [rip + .Lnibble]
    look_up ymm4, ymm8
    .endr
    vpand ymm4, ymm15, [rip + .Lnibble]
    vpaddb ymm8, ymm8, ymm8
    look_up ymm4, ymm8
    vpsrlw ymm4, ymm15, 4
    vpsllw ymm8, ymm11, 7
    vpand ymm4, ymm4, [rip + .Lnibble]
    vpor ymm8, ymm8, [rip + .Lones]
    look_up ymm4, ymm8
    vpunpcklbw ymm4, ymm2, ymm3
    vpunpckhbw ymm5, ymm2, ymm3
    vpmaddubsw ymm4, ymm7, ymm4
    vpmaddubsw ymm5, ymm7, ymm5
    dot ymm4
    dot ymm5
.endm

    sequence_functions

#else

#include "micro/sequences/lookup_table.h"

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
    lookup_tables(activations, activations + 16, tl2_value, values, 1, 29);
}

#endif
