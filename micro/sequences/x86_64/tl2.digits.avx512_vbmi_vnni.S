/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TL2 (layout: tl2.lookup1.avx2.S, of 64 rows), exact look-ups added up as bytes as in tl2.bytes.avx512_vbmi_vnni.S, 29 h + l
 * with nibble and sign one index, but summed in 32 bits and with tables of 32 only: vpermb takes six bits of a byte, and of
 * a table of 32 twice over bit 5 means nothing either. Two thirds of the other's bytes of tables, which do not stay in the
 * first-level cache, for four shifts more. Two tiles are unpacked to the four bytes l, h, l', h' of 16
 * rows, and vpdpbusd with 1, 29, 1, 29 adds them up. A tile: 4 + 7 shifts, 8 vpternlogd, 16 vpermb,
 * 14 vpaddb; two tiles 8 vpunpck, 4 vpdpbusd: 110 uops for 96 output vectors.
 * Golden Cove at 512 bits: 110 on p05, of which 40 are vpermb and vpunpck on p5: >= 0.57.
 *
 *   zmm0-7 accumulators: rows 16 i + 4 s ... 16 i + 4 s + 3, i = 0 ... 3, in accumulator s of four   zmm8, zmm9 signs
 *   zmm12-15 l, h, l', h'   zmm16, zmm17 tables of l, h   zmm18 mask 0x0f   zmm20 1, 29   zmm10, zmm21-23 temporaries
 *   zmm24-27, zmm28-31 nibbles
 */
#define FORMAT           "tl2"
#define SEQUENCE         "digits"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            6.667
#define GROUP_DOTS       4
#define GROUP_UOPS       110
#define GROUP_VECTORS    96
#define LEAST            4
#define MOST             8
#define WEIGHT_BYTES     640
#define ACTIVATION_BYTES 67
#define ACTIVATION_FILL  FILL_OWN
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

/* vpternlogd first, mask, second: the mask's bits from the first, or from the second */
#define OF_FIRST 0xe2
#define OF_SECOND 0xb8

.macro load_constants
    mov eax, (1 + 29 * 256) * 65537
    vpbroadcastd zmm20, eax
    mov eax, 0x0f0f0f0f
    vpbroadcastd zmm18, eax
    vbroadcasti64x4 zmm16, [rsi]
    vbroadcasti64x4 zmm17, [rsi + 32]
.endm

.macro load_weights base, offset
    vmovdqu64 zmm24, [\base + \offset]
    vmovdqu64 zmm25, [\base + \offset + 64]
    vmovdqu64 zmm26, [\base + \offset + 128]
    vmovdqu64 zmm27, [\base + \offset + 192]
    vmovdqu64 zmm8, [\base + \offset + 256]
    vmovdqu64 zmm28, [\base + \offset + 320]
    vmovdqu64 zmm29, [\base + \offset + 384]
    vmovdqu64 zmm30, [\base + \offset + 448]
    vmovdqu64 zmm31, [\base + \offset + 512]
    vmovdqu64 zmm9, [\base + \offset + 576]
.endm

.macro dot_into number, source
    vpdpbusd zmm\number, zmm20, \source
.endm

/* l, h, l', h' of 64 rows */
.macro dot_digits
    vpunpcklbw zmm22, zmm12, zmm13
    vpunpcklbw zmm23, zmm14, zmm15
    vpunpckhbw zmm12, zmm12, zmm13
    vpunpckhbw zmm14, zmm14, zmm15
    vpunpcklwd zmm13, zmm22, zmm23
    vpunpckhwd zmm15, zmm22, zmm23
    dot zmm13
    dot zmm15
    vpunpcklwd zmm13, zmm12, zmm14
    vpunpckhwd zmm15, zmm12, zmm14
    dot zmm13
    dot zmm15
.endm

.macro look_up low, high, index
    vpermb zmm22, \index, zmm16
    vpermb zmm23, \index, zmm17
    vpaddb \low, \low, zmm22
    vpaddb \high, \high, zmm23
.endm

/* the index of a register's first triple, its sign in bit 4 of zmm21, or of the second, in bit 4 of signs */
.macro first_triple nibbles
    vpternlogd zmm21, zmm18, \nibbles, OF_SECOND
.endm
.macro second_triple nibbles, signs
    vpsrld zmm10, \nibbles, 4
    vpternlogd zmm10, zmm18, \signs, OF_FIRST
.endm

.macro tile low, high, signs, first, second, third, fourth
    vpsrld zmm21, \signs, 3
    first_triple \first
    vpermb \low, zmm21, zmm16
    vpermb \high, zmm21, zmm17
    vpsrld zmm21, \signs, 2
    second_triple \first, zmm21
    look_up \low, \high, zmm10
    vpsrld zmm21, \signs, 1
    first_triple \second
    look_up \low, \high, zmm21
    second_triple \second, \signs
    look_up \low, \high, zmm10
    .set shift, 1
    .irp nibbles, \third, \fourth
    vpslld zmm21, \signs, shift
    first_triple \nibbles
    look_up \low, \high, zmm21
    vpslld zmm21, \signs, shift + 1
    second_triple \nibbles, zmm21
    look_up \low, \high, zmm10
    .set shift, shift + 2
    .endr
.endm

.macro group
    tile zmm12, zmm13, zmm8, zmm24, zmm25, zmm26, zmm27
    tile zmm14, zmm15, zmm9, zmm28, zmm29, zmm30, zmm31
    dot_digits
.endm

    sequence_functions

#else

#include "micro/sequences/lookup_table.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    const int8_t *activations = (const int8_t *)data->activations + 64;
    int32_t *lanes = sum;
    for (uint32_t lane = 0; lane < 16; lane++) {
        for (uint32_t triple = 0; triple < 16; triple++)
            lanes[lane] += tl2_tile_value(data->weights + 320 * (triple / 8), 64, digits_row(lane, dot), triple % 8, activations);
    }
}

/* 32 entries of each table: the nibble in bits 3:0, the sign in bit 4 */
void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    (void)weights;
    int8_t *values = (int8_t *)activations + 64;
    uint8_t low[TABLE_ENTRIES], high[TABLE_ENTRIES];
    reference_random_int8(values, 3, &seed);
    lookup_tables(low, high, tl2_value, values, 1, 29);
    for (uint32_t i = 0; i < 64; i++) {
        uint8_t entry = i < 32 ? low[i % 16] : high[i % 16];
        activations[i] = (uint8_t)(i >> 4 & 1 ? -entry : entry);
    }
}

#endif
