/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TL2's bits (lookup_table.h) decoded to the codes w + 1 of the three weights and multiplied, in place of looking up
 * sums: no tables of activations, 32-bit sums. A double word holds four triples of one row, so that an index register
 * is 16 rows of 12 weights. vpternlogd joins nibble and sign, three vpermb make the codes. vpermb takes 6 bits, so the
 * sign may stand in bit 4 or 5, with tables for each place that do not care for the other bit: one shift serves two
 * sign bits, and bits 5 and 4 none. 7 shifts, 8 vpternlogd, 1 copy (no port), 24 vpermb, 24 vpdpbusd: 64 uops for 48
 * output vectors.
 * Golden Cove at 512 bits: 63 on p05, of which 24 vpermb on p5: >= 0.66.
 *
 *   zmm0-11 accumulators   zmm12-15 signs, indices, codes   zmm16-18 activations of the first, second, third weights
 *   zmm19-21 tables with the sign in bit 4, zmm22-24 in bit 5   zmm25 mask 0x0f   zmm26 signs   zmm28-31 nibbles
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            6.667
#define GROUP_DOTS       24
#define GROUP_VECTORS    48
#define LEAST            1
#define MOST             12
#define WEIGHT_BYTES     320
#define ACTIVATION_BYTES 192
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

/* vpternlogd first, second, mask: the mask's bits from the first, or from the second */
#define OF_FIRST 0xe4
#define OF_SECOND 0xd8

/* codes of the weights of place 9, 3 or 1 in the sum |9 w0 + 3 w1 + w2|; indices 14, 15 are zeros */
    .altmacro
.macro codes place
    .set table_index, 0
    .rept 16
    .set table_code, 1
    .if table_index < 14
    .set table_code, (table_index + 13) / \place % 3
    .endif
    .byte table_code
    .set table_index, table_index + 1
    .endr
.endm
.macro negative_codes place
    .set table_index, 0
    .rept 16
    .set table_code, 1
    .if table_index < 14
    .set table_code, 2 - (table_index + 13) / \place % 3
    .endif
    .byte table_code
    .set table_index, table_index + 1
    .endr
.endm
    .section .rodata
    .balign 64
.Ltables:
    .irp place, 9, 3, 1
    .rept 2
    codes \place
    negative_codes \place
    .endr
    .endr
    .irp place, 9, 3, 1
    .rept 2
    codes \place
    .endr
    .rept 2
    negative_codes \place
    .endr
    .endr

.macro load_constants
    mov eax, 0x0f0f0f0f
    vpbroadcastd zmm25, eax
    vmovdqu64 zmm16, [rsi]
    vmovdqu64 zmm17, [rsi + 64]
    vmovdqu64 zmm18, [rsi + 128]
    vmovdqa64 zmm19, [rip + .Ltables]
    vmovdqa64 zmm20, [rip + .Ltables + 64]
    vmovdqa64 zmm21, [rip + .Ltables + 128]
    vmovdqa64 zmm22, [rip + .Ltables + 192]
    vmovdqa64 zmm23, [rip + .Ltables + 256]
    vmovdqa64 zmm24, [rip + .Ltables + 320]
.endm

.macro load_weights base, offset
    vmovdqu64 zmm28, [\base + \offset]
    vmovdqu64 zmm29, [\base + \offset + 64]
    vmovdqu64 zmm30, [\base + \offset + 128]
    vmovdqu64 zmm31, [\base + \offset + 192]
    vmovdqu64 zmm26, [\base + \offset + 256]
.endm

/* source: codes, then activations */
.macro dot_into number, source
    vpdpbusd zmm\number, \source
.endm

.macro decode index, first, second, third
    vpermb zmm14, \index, \first
    dot zmm14, zmm16
    vpermb zmm14, \index, \second
    dot zmm14, zmm17
    vpermb zmm14, \index, \third
    dot zmm14, zmm18
.endm

/* both triples of a register; signs: theirs in bits 5 and 4, lost afterwards */
.macro two_triples nibbles, signs
    vpsrld zmm13, \nibbles, 4
    vpternlogd zmm13, \signs, zmm25, OF_FIRST
    vpternlogd \signs, \nibbles, zmm25, OF_SECOND
    decode \signs, zmm22, zmm23, zmm24
    decode zmm13, zmm19, zmm20, zmm21
.endm

.macro group
    vpsrld zmm12, zmm26, 2
    two_triples zmm28, zmm12
    vmovdqa64 zmm15, zmm26
    two_triples zmm29, zmm15
    vpslld zmm12, zmm26, 2
    two_triples zmm30, zmm12
    vpslld zmm15, zmm26, 4
    two_triples zmm31, zmm15
.endm

    sequence_functions

#else

#include "micro/families/lookup/lookup_table.h"

/* dot 3 j + d: weight d of triple j, in every byte; its code is what the triple's sum shows of it */
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    int8_t only[3] = {0};
    only[dot % 3] = 1;
    int32_t *lanes = sum;
    for (uint32_t byte = 0; byte < 64; byte++) {
        int32_t weight = tl2_tile_value(data->weights, 64, byte, dot / 3, only);
        lanes[byte / 4] += (weight + 1) * (int8_t)data->activations[64 * (dot % 3) + byte];
    }
}

#endif
