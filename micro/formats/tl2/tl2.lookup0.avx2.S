/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TL2 (layout.h, 32 of the rows), look-ups in a table quantized to int8, negated as bytes by (x + m) ^ m, converted
 * to words and added: the paper's _0, which is not lossless. A triple: 1.5 for the index, 1 vpshufb, 2 for the mask m
 * (0.9 vpaddb, vpcmpgtb), vpaddb, vpxor, vextracti128, 2 vpmovsxbw, 2 vpaddw: 91 uops for 24 output vectors.
 * Golden Cove: vextracti128 and vpmovsxbw 24 on p5: 91 / 3 >= 1.26. Zen 3: vpmovsxbw of 256 bits takes two uops, FP12.
 *
 *   ymm0-5 accumulators: rows 0-15, rows 16-31, in turns   ymm6 signs, shifted   ymm7 zeros   ymm8, ymm9 temporaries
 *   ymm10 table   ymm11 signs   ymm12-15 nibbles
 */
#define ORIGIN           "bitnet-cpp"
#define CLAIMED          0.0
#define BYTES            6.667
#define GROUP_DOTS       16
#define GROUP_VECTORS    24
#define LEAST            2
#define MOST             6
#define WEIGHT_BYTES     160
#define ACTIVATION_BYTES 19
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_INT16
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

    .section .rodata
    .balign 32
.Lnibble: .fill 32, 1, 0x0f

.macro load_constants
    vbroadcasti128 ymm10, [rsi]
    vpxor xmm7, xmm7, xmm7
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

/* signs: the triple's in the top bit of each byte */
.macro look_up index, signs
    vpshufb ymm8, ymm10, \index
    vpcmpgtb ymm9, ymm7, \signs
    vpaddb ymm8, ymm8, ymm9
    vpxor ymm8, ymm8, ymm9
    vpmovsxbw ymm9, xmm8
    vextracti128 xmm8, ymm8, 1
    dot ymm9
    vpmovsxbw ymm8, xmm8
    dot ymm8
.endm

.macro group
    vpand ymm8, ymm12, [rip + .Lnibble]
    look_up ymm8, ymm11
    vpsrlw ymm8, ymm12, 4
    vpaddb ymm6, ymm11, ymm11
    vpand ymm8, ymm8, [rip + .Lnibble]
    look_up ymm8, ymm6
    .irp nibbles, ymm13, ymm14, ymm15
    vpand ymm8, \nibbles, [rip + .Lnibble]
    vpaddb ymm6, ymm6, ymm6
    look_up ymm8, ymm6
    vpsrlw ymm8, \nibbles, 4
    vpaddb ymm6, ymm6, ymm6
    vpand ymm8, ymm8, [rip + .Lnibble]
    look_up ymm8, ymm6
    .endr
.endm

    sequence_functions

#else

#include "micro/families/lookup/lookup_table.h"

enum { DIVISOR = 3 }; /* 127 * 3 fits */

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    const int8_t *activations = (const int8_t *)data->activations + 16;
    uint16_t *words = sum;
    for (uint32_t word = 0; word < 16; word++) {
        int32_t value = tl2_tile_value(data->weights, 32, dot % 2 * 16 + word, dot / 2, activations);
        words[word] = (uint16_t)(words[word] + lookup_quantize(value, DIVISOR));
    }
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    (void)weights;
    int8_t *values = (int8_t *)activations + 16;
    reference_random_int8(values, 3, &seed);
    lookup_table(activations, tl2_value, values, DIVISOR);
}

#endif
