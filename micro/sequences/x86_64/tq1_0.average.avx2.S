/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TQ1_0 (layout: micro/sequences/ternary_block.h) of one row, as its authors compute it, without a multiplication: b 3^n mod 256 is made by
 * additions and by shifts of three bits, of which a mask takes what came over from the neighbour; x - 1, which stays at 0, and the
 * rounding average with its own half are 3 x / 4, whose upper two bits are the digit. Three 16-bit sums of the block (digits up to 2
 * reach 4064), less those of the activations, then 32 bits, float, both scales. 32 bytes: 11 for the powers, 5 digits of 6 with their product,
 * 2 vpaddw; the 16 bytes and the four, two 128-bit powers to a register: 11 and 5 for the powers, 3 to join them, 3 digits of 6, 3 vpaddw;
 * 9 to the end: 92 uops for 8 output vectors.
 * Golden Cove: 52 on p01, 92 / 3 >= 3.83. Zen 3: 92 / 4 >= 2.88.
 *
 *   ymm0, ymm1 accumulators   ymm2 scale of the activations   ymm3, ymm7, ymm8 temporaries   ymm4 bytes of 1
 *   ymm5 bytes of 3   ymm6 zero   ymm9-11 sums   xmm12 scale of the block, xmm13 the four bytes, repeated   xmm14 the 16 bytes   ymm15 the 32 bytes
 *   [rsi] struct ternary_activations
 */
#define FORMAT           "tq1_0"
#define SEQUENCE         "average"
#define ORIGIN           "bitnet-cpp"
#define CLAIMED          0.0
#define BYTES            6.75
#define GROUP_DOTS       1
#define GROUP_UOPS       92
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             2
#define WEIGHT_BYTES     54
#define ACTIVATION_BYTES 332
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

    .section .rodata
    .balign 32
.Lones: .fill 16, 2, 1
.Lbytes: .fill 16, 2, 0xff
.Lupper: .fill 32, 1, 0xf8
.Lpowers: .short 1, 1, 1, 1, 3, 3, 3, 3, 9, 9, 9, 9, 27, 27, 27, 27

.macro load_constants
    mov eax, 0x01010101
    vmovd xmm4, eax
    vpbroadcastd ymm4, xmm4
    mov eax, 0x03030303
    vmovd xmm5, eax
    vpbroadcastd ymm5, xmm5
    vpxor xmm6, xmm6, xmm6
    vbroadcastss ymm2, [rsi + 288]
.endm

.macro load_weights base, offset
    vmovdqu ymm15, [\base + \offset]
    vmovdqu xmm14, [\base + \offset + 32]
    vpbroadcastd xmm13, [\base + \offset + 48]
    vpbroadcastw xmm12, [\base + \offset + 52]
.endm

.macro dot_into number, source
    vfmadd231ps ymm\number, \source, ymm8
.endm

/* of bytes, modulo 256 */
.macro times_3 to, source
    vpaddb \to, \source, \source
    vpaddb \to, \to, \source
.endm

.macro times_9 kind, to, source
    vpsllw \kind\()7, \source, 3
    vpand \kind\()7, \kind\()7, [rip + .Lupper]
    vpaddb \to, \kind\()7, \source
.endm

.macro products to, source, activations
    vpsubusb \to, \source, ymm4
    vpavgb ymm7, \to, ymm6
    vpavgb \to, \to, ymm7
    vpsrlw \to, \to, 6
    vpand \to, \to, ymm5
    vpmaddubsw \to, \to, [rsi + \activations]
.endm

.macro add_products to, source, activations
    products ymm3, \source, \activations
    vpaddw \to, \to, ymm3
.endm

.macro group
    products ymm9, ymm15, 0
    times_3 ymm8, ymm15
    add_products ymm9, ymm8, 32
    times_9 ymm, ymm11, ymm15
    products ymm10, ymm11, 64
    times_9 ymm, ymm8, ymm8
    add_products ymm10, ymm8, 96
    times_9 ymm, ymm8, ymm11
    products ymm11, ymm8, 128
    times_3 xmm8, xmm14
    vinserti128 ymm3, ymm14, xmm8, 1
    add_products ymm9, ymm3, 160
    times_9 xmm, xmm3, xmm8
    times_9 xmm, xmm8, xmm14
    vinserti128 ymm3, ymm8, xmm3, 1
    add_products ymm10, ymm3, 192
    times_9 xmm, xmm8, xmm8
    vpmovzxbw ymm3, xmm13
    vpmullw ymm3, ymm3, [rip + .Lpowers]
    vpand ymm3, ymm3, [rip + .Lbytes]
    vextracti128 xmm7, ymm3, 1
    vpackuswb xmm3, xmm3, xmm7
    vinserti128 ymm3, ymm8, xmm3, 1
    add_products ymm11, ymm3, 224
    vpsubw ymm9, ymm9, [rsi + 256]
    vpaddw ymm10, ymm10, ymm11
    vpaddw ymm9, ymm9, ymm10
    vcvtph2ps ymm8, xmm12
    vpmaddwd ymm9, ymm9, [rip + .Lones]
    vmulps ymm8, ymm8, ymm2
    vcvtdq2ps ymm9, ymm9
    dot ymm9
.endm

    sequence_functions

#else

#include "micro/sequences/ternary_block.h"

static uint32_t weight_at(uint32_t place)
{
    return place;
}

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)dot;
    tq1_0_row(data, weight_at, sum, magnitude);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    ternary_fill(weights, 52, 1, activations, seed);
}

#endif
