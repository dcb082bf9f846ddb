/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TQ1_0 (layout: micro/families/lookup/ternary_block.h) of four rows at the same columns, three digits and two at a time
 * (tq1_0_m16.decode.avx512_vbmi_vnni.S): a block is one register, in which the 12 bytes that are no digits and the fifth
 * digit of the last four meet zeros. The blocks' scales are converted together and come back from memory, one to all
 * lanes. Each block 4 vpmaddubsw, 2 vpshufb, 5 vpermb, 5 vpdpbusd, a load to start the sums, 2 to scale; 4 for the
 * scales: 80 uops for 32 output vectors.
 * Golden Cove at 512 bits: 75 on p05: >= 1.17. With full registers it were 0.84, but rows of blocks do not fill them.
 *
 *   zmm0-3 accumulators   zmm4-8, zmm18 temporaries   xmm9 scales of the blocks   zmm10-12 digits 0, 1, 2 of three
 *   zmm13, zmm14 27 for even, odd bytes   zmm15 9 for even bytes   zmm16 from odd bytes to even ones
 *   xmm17 activations' scale   zmm28-31 weights   k1 even bytes   k2 bytes of a block   [rsp - 16] scales of the rows
 *   [rsi] struct ternary_activations, at 384 the activations by digit, at 704 what the sums start from
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            6.75
#define GROUP_DOTS       4
#define GROUP_VECTORS    32
#define LEAST            1
#define MOST             4
#define WEIGHT_BYTES     216
#define ACTIVATION_BYTES 768
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-5
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

#define DIGITS 384
#define STARTS 704

/* 64 bytes: digit of value `place` in the lowest three or two digits of each index */
.macro digits place
    .set table_index, 0
    .rept 64
    .byte table_index / \place % 3
    .set table_index, table_index + 1
    .endr
.endm
    .section .rodata
    .balign 64
.Lninths: digits 9
.Lthirds: digits 3
.Lunits: digits 1
.Lodd_to_even: .rept 4
    .byte 1, 0, 3, 0, 5, 0, 7, 0, 9, 0, 11, 0, 13, 0, 15, 0
    .endr

.macro load_constants
    mov rax, 0x5555555555555555
    kmovq k1, rax
    mov rax, 0x3fffffffffffff
    kmovq k2, rax
    mov eax, 27
    vpbroadcastw zmm13, eax
    vpsllw zmm14, zmm13, 8
    mov eax, 9
    vpbroadcastw zmm15, eax
    vmovdqa64 zmm10, [rip + .Lninths]
    vmovdqa64 zmm11, [rip + .Lthirds]
    vmovdqa64 zmm12, [rip + .Lunits]
    vmovdqa64 zmm16, [rip + .Lodd_to_even]
    vbroadcastss xmm17, [rsi + 288]
.endm

.macro load_weights base, offset
    .irp row, 0, 1, 2, 3
    load_row \row, \base, %(\offset + 54 * \row)
    .endr
.endm

.macro load_row row, base, offset
    load_block %(28 + \row), \base, \offset
    vpinsrw xmm9, xmm9, [\base + \offset + 52], \row
.endm

.macro load_block register, base, offset
    vmovdqu8 zmm\register{k2}{z}, [\base + \offset]
.endm

.macro dot_into number, source
    vfmadd231ps zmm\number, \source
.endm

.macro add_digits places, digits, activations
    vpermb zmm8, \places, \digits
    vpdpbusd zmm4, zmm8, [rsi + DIGITS + \activations]
.endm

.macro row register, scale
    vmovdqu64 zmm4, [rsi + STARTS]
    vpmaddubsw zmm5, \register, zmm13
    vpmaddubsw zmm6, \register, zmm14
    vpmaddubsw zmm7, zmm5, zmm15
    vpmaddubsw zmm18, zmm6, zmm15
    vpshufb zmm6{k1}, zmm5, zmm16
    vpshufb zmm18{k1}, zmm7, zmm16
    add_digits zmm6, zmm10, 0
    add_digits zmm6, zmm11, 64
    add_digits zmm6, zmm12, 128
    add_digits zmm18, zmm11, 192
    add_digits zmm18, zmm12, 256
    vcvtdq2ps zmm4, zmm4
    dot zmm4, dword ptr [rsp - 16 + \scale]{1to16}
.endm

.macro group
    vcvtph2ps xmm4, xmm9
    vmulps xmm4, xmm4, xmm17
    vmovups [rsp - 16], xmm4
    row zmm28, 0
    row zmm29, 4
    row zmm30, 8
    row zmm31, 12
.endm

    sequence_functions

#else

#include "micro/families/lookup/ternary_block.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    ternary_row_of(data, dot, TQ1_0_BYTES, tq1_0_byte, tq1_0_code, sum, magnitude);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    int32_t starts[16] = {0};
    memset(activations, 0, ACTIVATION_BYTES);
    for (uint32_t row = 0; row < 4; row++)
        ternary_fill(weights + row * TQ1_0_BYTES, 52, 1, activations, seed + row);
    for (uint32_t weight = 0; weight < TERNARY_BLOCK; weight++) {
        uint32_t byte = tq1_0_byte(weight);
        uint32_t digit = weight < 160 ? weight / 32 : weight < 240 ? (weight - 160) / 16 : (weight - 240) / 4;
        activations[384 + digit * 64 + byte] = activations[weight];
        starts[byte / 4] -= (int8_t)activations[weight];
    }
    memcpy(activations + 704, starts, sizeof starts);
}

#endif
