/* SPDX-License-Identifier: BSD-3-Clause
 *
 * I2_S (layout: i2_s.madd.avx2.S), masks: each field of weights 32 apart stays in its place in the byte, and its
 * accumulator, shifted right once at the end of the row, undoes the power of two. 4 ANDs and 4 dot products for 128
 * weights.
 * Golden Cove: vpand p015, vpdpbusd p01: 8 uops on 3 ports: >= 0.667.
 *
 *   ymm0-7 accumulators   ymm8 weights   ymm9-11 temporaries   ymm12-15 activations of the four fields
 */
#define FORMAT           "i2_s"
#define SEQUENCE         "mask"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            8.0
#define GROUP_DOTS       4
#define GROUP_UOPS       8
#define LEAST            4
#define MOST             8
#define ACTIVATION_BYTES 128
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

    .section .rodata
    .balign 32
.Lmasks: .fill 32, 1, 0xc0
    .fill 32, 1, 0x30
    .fill 32, 1, 0x0c
    .fill 32, 1, 0x03

.macro load_constants
    vmovdqu ymm12, [rsi]
    vmovdqu ymm13, [rsi + 32]
    vmovdqu ymm14, [rsi + 64]
    vmovdqu ymm15, [rsi + 96]
.endm

.macro load_weights base, offset
    vmovdqu ymm8, [\base + \offset]
.endm

/* source: a field in its place, then the activations of that field */
.macro dot_into number, source
    {vex} vpdpbusd ymm\number, \source
.endm

.macro group
    vpand ymm9, ymm8, [rip + .Lmasks]
    dot ymm9, ymm12
    vpand ymm10, ymm8, [rip + .Lmasks + 32]
    dot ymm10, ymm13
    vpand ymm11, ymm8, [rip + .Lmasks + 64]
    dot ymm11, ymm14
    vpand ymm9, ymm8, [rip + .Lmasks + 96]
    dot ymm9, ymm15
.endm

    sequence_functions

#else

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    int32_t *lanes = sum;
    int32_t in_place = 64 >> 2 * dot; /* what its accumulator is shifted by in the end */
    for (uint32_t m = 0; m < 32; m++) {
        int32_t code = data->weights[m] >> (6 - 2 * dot) & 3;
        lanes[m / 4] += in_place * code * (int8_t)data->activations[32 * dot + m];
    }
}

#endif
