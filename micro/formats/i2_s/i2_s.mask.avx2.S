/* SPDX-License-Identifier: BSD-3-Clause
 *
 * I2_S, masks: fields are left where they are, so that one shift of a block brings all four to weight 1 or 4; each
 * weight has its chain of 16-bit sums. vpmaddwd by 4 and by 1 joins them, which gives four times the sum: the scale
 * takes the quarter. 4 blocks of codes up to 3 reach 24384 in the chain of weight 4. 4 shifts, 16 ANDs, 16 vpmaddubsw,
 * 14 vpaddw, 4 to join and widen: 54 uops for 16 output vectors.
 * Golden Cove: 22 on p01, the rest p015: 54 / 3 >= 1.13. Zen 3: multiplies 18 on FP03: 54 / 4 >= 0.84.
 *
 *   ymm0, ymm1 accumulators   ymm2, ymm3 sums of weight 1, 4   ymm4, ymm5 temporaries   ymm6, ymm7 masks 0x03, 0x0c
 *   ymm8-11 activations   ymm12-15 weights
 */
#define ORIGIN           "kneepoint"
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

    .section .rodata
    .balign 32
.Lones: .fill 16, 2, 1
.Lfours: .fill 16, 2, 4

.macro load_constants
    mov eax, 0x03030303
    vmovd xmm6, eax
    vpbroadcastd ymm6, xmm6
    vpslld ymm7, ymm6, 2
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
    vpaddd ymm\number, ymm\number, \source
.endm

/* two fields of a register: bits 1:0 times the one activations, bits 3:2 times the other */
.macro fields source, activations1, activations4, is_first
    vpand ymm5, \source, ymm6
    vpand ymm4, \source, ymm7
    .if \is_first
    vpmaddubsw ymm2, ymm5, \activations1
    vpmaddubsw ymm3, ymm4, \activations4
    .else
    vpmaddubsw ymm5, ymm5, \activations1
    vpmaddubsw ymm4, ymm4, \activations4
    vpaddw ymm2, ymm2, ymm5
    vpaddw ymm3, ymm3, ymm4
    .endif
.endm

.macro group
    fields ymm12, ymm11, ymm10, 1
    .irp weights, ymm13, ymm14, ymm15
    fields \weights, ymm11, ymm10, 0
    .endr
    .irp weights, ymm12, ymm13, ymm14, ymm15
    vpsrlw ymm4, \weights, 4
    fields ymm4, ymm9, ymm8, 0
    .endr
    vpmaddwd ymm2, ymm2, [rip + .Lfours]
    vpmaddwd ymm3, ymm3, [rip + .Lones]
    vpaddd ymm2, ymm2, ymm3
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
        lanes[m / 4] += 4 * (int32_t)code * (int8_t)data->activations[place];
    }
}

#endif
