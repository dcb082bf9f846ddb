/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TL1 (layout: tl1.lookup1.avx2.S), exact look-ups added up as bytes: a sum of two activations is 23 h + l with l and h
 * within 11 (254 = 23 * 11 + 1), so that 8 look-ups of each fit signed bytes. Once a group of 8 they are unpacked to
 * pairs, and vpmaddubsw with 1 and 23 makes exact words of them: one conversion for 8 look-ups in place of 8. 4 shifts,
 * 8 ANDs, 16 vpshufb, 14 vpaddb, and to convert 2 vpunpck, 2 vpmaddubsw, 2 vpaddw: 48 uops for 16 output vectors, where
 * the paper's exact look-up takes 60.
 * Golden Cove: vpshufb and vpunpck p15, 18: 48 / 3 >= 1.00. Zen 3: FP12 has 22: 48 / 4 >= 0.75.
 *
 *   ymm0, ymm1 accumulators: rows 0-7 and 16-23, rows 8-15 and 24-31   ymm2, ymm3 sums of l, h   ymm4-6 temporaries
 *   ymm7 1, 23   ymm8-11 tables: l and h of the first pair, of the second   ymm12-15 weights
 */
#define FORMAT           "tl1"
#define SEQUENCE         "bytes"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            8.0
#define GROUP_DOTS       2
#define GROUP_UOPS       48
#define GROUP_VECTORS    16
#define LEAST            2
#define MOST             2
#define WEIGHT_BYTES     128
#define ACTIVATION_BYTES 68
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_INT16
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

    .section .rodata
    .balign 32
.Lnibble: .fill 32, 1, 0x0f

.macro load_constants
    mov eax, 1 + 23 * 256
    vmovd xmm7, eax
    vpbroadcastw ymm7, xmm7
    vbroadcasti128 ymm8, [rsi]
    vbroadcasti128 ymm9, [rsi + 16]
    vbroadcasti128 ymm10, [rsi + 32]
    vbroadcasti128 ymm11, [rsi + 48]
.endm

.macro load_weights base, offset
    vmovdqu ymm12, [\base + \offset]
    vmovdqu ymm13, [\base + \offset + 32]
    vmovdqu ymm14, [\base + \offset + 64]
    vmovdqu ymm15, [\base + \offset + 96]
.endm

.macro dot_into number, source
    vpaddw ymm\number, ymm\number, \source
.endm

.macro look_up index, low, high
    vpshufb ymm5, \low, \index
    vpshufb ymm6, \high, \index
    vpaddb ymm2, ymm2, ymm5
    vpaddb ymm3, ymm3, ymm6
.endm

.macro group
    vpsrlw ymm4, ymm12, 4
    vpand ymm4, ymm4, [rip + .Lnibble]
    vpshufb ymm2, ymm10, ymm4
    vpshufb ymm3, ymm11, ymm4
    .irp weights, ymm13, ymm14, ymm15
    vpsrlw ymm4, \weights, 4
    vpand ymm4, ymm4, [rip + .Lnibble]
    look_up ymm4, ymm10, ymm11
    .endr
    .irp weights, ymm12, ymm13, ymm14, ymm15
    vpand ymm4, \weights, [rip + .Lnibble]
    look_up ymm4, ymm8, ymm9
    .endr
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
        lookup_tables(activations + 32 * pair, activations + 32 * pair + 16, tl1_value, values + 2 * pair, 1, 23);
}

#endif
