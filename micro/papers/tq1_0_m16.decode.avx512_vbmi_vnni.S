/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TQ1_0 in panels of 16 rows (layout: micro/families/lookup/ternary_block.h), three digits and two at a time: vpmaddubsw of a
 * byte b with 27 in its place and 0 beside it is the word 27 b, whose upper byte is the first three digits, 0 ... 26,
 * and whose lower byte times 9 is again a word with the last two, 0 ... 8, in its upper byte. One masked vpshufb moves
 * the even bytes' beside the odd ones', vpermb parts the digits. The activations are broadcast, and a block's scales
 * meet its sums once in 128 output vectors; sums start from minus the sum of the activations. 64 bytes, 10 output
 * vectors: 4 vpmaddubsw, 2 vpshufb, 5 vpermb, 5 vpdpbusd. 12 times that; 13 for the last 4 bytes of four digits; 5
 * loads to start and 4 to join the sums, 5 for the scales: 219 uops for 128 output vectors.
 * Golden Cove at 512 bits: 214 on p05, of which 90 vpshufb, vpermb, half of vcvtph2ps on p5: >= 0.84; on a client core,
 * whose p5 does not multiply, 120 of them are on p0: >= 0.94.
 *
 *   zmm0, zmm1 accumulators   zmm2-6 sums by digit   zmm7-9, zmm29, zmm30 temporaries
 *   zmm10-12 digits 0, 1, 2 of three   zmm13, zmm14 27 for even, odd bytes   ymm15 scales
 *   zmm16-27 weights of five, zmm28 of four digits a byte   zmm31 from odd bytes to even ones   k1 even bytes
 *   [rsi] struct ternary_activations
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            6.75
#define GROUP_DOTS       1
#define GROUP_VECTORS    128
#define LEAST            1
#define MOST             2
#define WEIGHT_BYTES     864
#define ACTIVATION_BYTES 332
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-5
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

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
.Lzero: .long 0
    .balign 64
.Lby_nine_even: .fill 32, 2, 9
.Lby_three_even: .fill 32, 2, 3
.Lodd_to_even: .rept 4
    .byte 1, 0, 3, 0, 5, 0, 7, 0, 9, 0, 11, 0, 13, 0, 15, 0
    .endr

.macro load_constants
    mov rax, 0x5555555555555555
    kmovq k1, rax
    mov eax, 27
    vpbroadcastw zmm13, eax
    vpsllw zmm14, zmm13, 8
    vmovdqa64 zmm10, [rip + .Lninths]
    vmovdqa64 zmm11, [rip + .Lthirds]
    vmovdqa64 zmm12, [rip + .Lunits]
    vmovdqa64 zmm31, [rip + .Lodd_to_even]
.endm

.macro load_weights base, offset
    .irp quad, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
    load_quad %(16 + \quad), \base, %(\offset + 64 * \quad)
    .endr
    vmovdqu ymm15, [\base + \offset + 832]
.endm

.macro load_quad register, base, offset
    vmovdqu64 zmm\register, [\base + \offset]
.endm

.macro dot_into number, source
    vfmadd231ps zmm\number, \source, zmm7
.endm

/* first three digits of four bytes of each row, 0 ... 26, to zmm8; zmm9, zmm29: the words of the rest times a number */
.macro three_digits register, rest_by
    vpmaddubsw zmm7, zmm\register, zmm13
    vpmaddubsw zmm8, zmm\register, zmm14
    vpmaddubsw zmm9, zmm7, [rip + \rest_by]
    vpmaddubsw zmm29, zmm8, [rip + \rest_by]
    vpshufb zmm8{k1}, zmm7, zmm31
    vpshufb zmm29{k1}, zmm9, zmm31
.endm

.macro add_three activations, stride
    vpermb zmm30, zmm8, zmm10
    vpdpbusd zmm2, zmm30, dword ptr [rsi + \activations]{1to16}
    vpermb zmm30, zmm8, zmm11
    vpdpbusd zmm3, zmm30, dword ptr [rsi + \activations + \stride]{1to16}
    vpermb zmm30, zmm8, zmm12
    vpdpbusd zmm4, zmm30, dword ptr [rsi + \activations + 2 * \stride]{1to16}
.endm

.macro five_digits register, activations, stride
    three_digits \register, .Lby_nine_even
    add_three \activations, \stride
    vpermb zmm30, zmm29, zmm11
    vpdpbusd zmm5, zmm30, dword ptr [rsi + \activations + 3 * \stride]{1to16}
    vpermb zmm30, zmm29, zmm12
    vpdpbusd zmm6, zmm30, dword ptr [rsi + \activations + 4 * \stride]{1to16}
.endm

/* zeros are loaded: LLVM's model of the core does not know that vpxord makes them, and would chain the blocks */
.macro group
    vpbroadcastd zmm2, [rsi + 324]
    .irp sums, zmm3, zmm4, zmm5, zmm6
    vpbroadcastd \sums, [rip + .Lzero]
    .endr
    .irp quad, 0, 1, 2, 3, 4, 5, 6, 7
    five_digits %(16 + \quad), %(4 * \quad), 32
    .endr
    .irp quad, 0, 1, 2, 3
    five_digits %(24 + \quad), %(160 + 4 * \quad), 16
    .endr
    three_digits 28, .Lby_three_even
    add_three 240, 4
    vpdpbusd zmm5, zmm29, dword ptr [rsi + 252]{1to16}
    vcvtph2ps zmm7, ymm15
    vpaddd zmm2, zmm2, zmm3
    vpaddd zmm4, zmm4, zmm5
    vpaddd zmm2, zmm2, zmm6
    vmulps zmm7, zmm7, dword ptr [rsi + 288]{1to16}
    vpaddd zmm2, zmm2, zmm4
    vcvtdq2ps zmm2, zmm2
    dot zmm2
.endm

    sequence_functions

#else

#include "micro/families/lookup/ternary_block.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)dot;
    ternary_panel(data, tq1_0_byte, tq1_0_code, 832, sum, magnitude);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    ternary_fill(weights, 832, 16, activations, seed);
}

#endif
