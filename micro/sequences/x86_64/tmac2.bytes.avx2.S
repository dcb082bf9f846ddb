/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit weights bit by bit (layout: tmac2.lookup.avx2.S), exact: tables hold the sums of the activations of set bits
 * less half of all, -254 ... 254, those of the upper bits twice that. A sum is 31 h + l with l within 15 and h within 8
 * and 16, so that 4 look-ups of either bit fit signed bytes; once a group they are unpacked to pairs, and vpmaddubsw
 * with 1 and 31 makes exact words. The halves, three for each four codes of 0 to 3, are added back once a row. 4
 * shifts, 8 ANDs, 16 vpshufb, 14 vpaddb, 6 to convert and add: 48 uops for 16 output vectors, 60 as T-MAC does it.
 * Golden Cove: vpshufb and vpunpck 18 on p15: 48 / 3 >= 1.00. Zen 3: FP12 has 22: 48 / 4 >= 0.75.
 *
 *   ymm0, ymm1 accumulators: rows 0-7 and 16-23, rows 8-15 and 24-31   ymm2, ymm3 sums of l, h   ymm4-6 temporaries
 *   ymm7 1, 31   ymm8-11 tables: l and h of the lower bits, of the upper   ymm12-15 weights
 */
#define FORMAT           "tmac2"
#define SEQUENCE         "bytes"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            8.0
#define GROUP_DOTS       2
#define GROUP_UOPS       48
#define GROUP_VECTORS    16
#define LEAST            2
#define MOST             2
#define ACTIVATION_BYTES 68
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_INT16
#define WEIGHT_BYTES     128
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

    .section .rodata
    .balign 32
.Lnibble: .fill 32, 1, 0x0f

.macro load_constants
    mov eax, 1 + 31 * 256
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
    vpand ymm4, ymm12, [rip + .Lnibble]
    vpshufb ymm2, ymm8, ymm4
    vpshufb ymm3, ymm9, ymm4
    .irp weights, ymm13, ymm14, ymm15
    vpand ymm4, \weights, [rip + .Lnibble]
    look_up ymm4, ymm8, ymm9
    .endr
    .irp weights, ymm12, ymm13, ymm14, ymm15
    vpsrlw ymm4, \weights, 4
    vpand ymm4, ymm4, [rip + .Lnibble]
    look_up ymm4, ymm10, ymm11
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
    lookup_tables(activations, activations + 16, tmac_half_value, values, 1, 31);
    lookup_tables(activations + 32, activations + 48, tmac_half_value, values, 2, 31);
}

#endif
