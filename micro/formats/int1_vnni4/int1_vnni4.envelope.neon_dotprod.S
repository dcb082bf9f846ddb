/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit of [envelope, III-D, Fig. 2] with Neon: spread the bits of a word over bytes, test each (cmtst: AND and compare in
 * one), turn the mask into weights, dot product. The weights are signed here, so the blend is an OR: a clear bit, 0, becomes
 * +1, and a set one, -1, stays. 2 x (tbl, cmtst, orr, sdot) for 32 weights.
 * Neoverse N1, N2: 8 uops on 2 vector pipes: >= 4.0. V1: tbl on 2 of 4 pipes: >= 2.0.
 *
 *   v0-11 accumulators   v16 weights (32 bits)   v18 activations   v20, v21 bytes to spread   v22 bit of each byte   v23 ones
 *   v24, v25 temporaries
 */
#define ORIGIN       "envelope"
#define CLAIMED      0.0
#define BYTES        4.0
#define WEIGHT_BYTES 4
#define GROUP_DOTS   2
#define LEAST        2
#define MOST         12
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
    .text /* beside the code: a copy of the program at another place of a page finds it there, too */
    .balign 16
.Lspread: .byte 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1
    .byte 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3
    .byte 1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128

.macro load_constants
    ldr q18, [x1]
    adr x9, .Lspread
    ldp q20, q21, [x9]
    ldr q22, [x9, 32]
    movi v23.16b, 1
.endm

.macro load_weights base, offset
    ldr s16, [\base, \offset]
.endm

.macro dot_into number, source
    sdot v\number\().4s, \source\().16b, v18.16b
.endm

.macro group
    tbl v24.16b, {v16.16b}, v20.16b
    tbl v25.16b, {v16.16b}, v21.16b
    cmtst v24.16b, v24.16b, v22.16b
    cmtst v25.16b, v25.16b, v22.16b
    orr v24.16b, v24.16b, v23.16b
    orr v25.16b, v25.16b, v23.16b
    dot v24
    dot v25
.endm

    sequence_functions
#else
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    for (uint32_t i = 0; i < 16; i++) {
        uint32_t bit = dot * 16 + i;
        int32_t w = data->weights[bit / 8] >> bit % 8 & 1 ? -1 : 1;
        ((int32_t *)sum)[i / 4] += w * (int8_t)data->activations[i];
    }
}
#endif
