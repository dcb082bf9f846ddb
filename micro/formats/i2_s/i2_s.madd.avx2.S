/* SPDX-License-Identifier: BSD-3-Clause
 *
 * I2_S as its paper computes it. Byte m of a block of 128 weights holds w + 1 of weights m, 32 + m, 64 + m, 96 + m, the
 * first in bits 7:6. Shift and mask give unsigned codes, vpmaddubsw multiplies them with signed activations, sums stay
 * in 16 bits and widen once a group: 4 blocks of codes up to 3 reach 12192. (The paper's loop widens every 32 blocks:
 * 0.04 uops a vector less. The sum of all activations is subtracted once a row.) 12 shifts, 16 ANDs, 16 vpmaddubsw, 15
 * vpaddw, 2 to widen: 61 uops for 16 output vectors.
 * Golden Cove: shifts and multiplies 29 on p01, the rest p015: 61 / 3 >= 1.27. Zen 3: multiplies 17 on FP03, shifts
 * FP12: 61 / 4 >= 0.95.
 *
 *   ymm0, ymm1 accumulators   ymm2 16-bit sums   ymm3-5 products   ymm6 ones   ymm7 mask 0x03   ymm8-11 activations
 *   ymm12-15 weights
 */
#define ORIGIN           "bitnet-cpp"
#define CLAIMED          0.0
#define BYTES            8.0
#define GROUP_DOTS       1
#define GROUP_VECTORS    16
#define LEAST            1
#define MOST             2
#define WEIGHT_BYTES     128
#define ACTIVATION_BYTES 128
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

.macro load_constants
    mov eax, 0x00010001
    vmovd xmm6, eax
    vpbroadcastd ymm6, xmm6
    mov eax, 0x03030303
    vmovd xmm7, eax
    vpbroadcastd ymm7, xmm7
    vmovdqu ymm8, [rsi]
    vmovdqu ymm9, [rsi + 32]
    vmovdqu ymm10, [rsi + 64]
    vmovdqu ymm11, [rsi + 96]
.endm

.macro load_weights base, offset
    vmovdqu ymm12, [\base + \offset]
    vmovdqu ymm13, [\base + \offset + 32]
    vmovdqu ymm14, [\base + \offset + 64]
    vmovdqu ymm15, [\base + \offset + 96]
.endm

.macro dot_into number, source
    vpmaddwd \source, \source, ymm6
    vpaddd ymm\number, ymm\number, \source
.endm

/* the products of one block, summed into a register of words */
.macro block weights, sum
    vpsrlw \sum, \weights, 6
    vpsrlw ymm4, \weights, 4
    vpand \sum, \sum, ymm7
    vpand ymm4, ymm4, ymm7
    vpmaddubsw \sum, \sum, ymm8
    vpmaddubsw ymm4, ymm4, ymm9
    vpaddw \sum, \sum, ymm4
    vpsrlw ymm4, \weights, 2
    vpand ymm5, \weights, ymm7
    vpand ymm4, ymm4, ymm7
    vpmaddubsw ymm5, ymm5, ymm11
    vpmaddubsw ymm4, ymm4, ymm10
    vpaddw ymm4, ymm4, ymm5
    vpaddw \sum, \sum, ymm4
.endm

.macro group
    block ymm12, ymm2
    .irp weights, ymm13, ymm14, ymm15
    block \weights, ymm3
    vpaddw ymm2, ymm2, ymm3
    .endr
    dot ymm2
.endm

    sequence_functions

#else

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)dot, (void)magnitude;
    int32_t *lanes = sum;
    for (uint32_t weight = 0; weight < 4 * 128; weight++) {
        uint32_t place = weight % 128, m = place % 32;
        uint32_t byte = data->weights[weight / 128 * 32 + m], code = byte >> (6 - place / 32 * 2) & 3;
        lanes[m / 4] += (int32_t)code * (int8_t)data->activations[place];
    }
}

#endif
