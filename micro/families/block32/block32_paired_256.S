/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocks of 32 codes of 4 bits, two rows a byte, which meet the same broadcast of activations; 16 rows. Of each 64 weights
 *
 *   q4_0, AVX-VNNI     offset by 8: the low nibbles masked give L, the whole byte, multiplied as it is, L + 16 H; one subtraction a block leaves 16 H, and
 *                      the 1/16 is in the scale. The sums begin at -8 sum a (and -136 sum a = -8 (1 + 16) sum a), so that no correction remains. No shift, 1
 *                      AND, 2 vpdpbusd; a block: 12 more. 46 uops issued: 36 of arithmetic, 10 loads.
 *                      Golden Cove: 24 on p01 (16 vpdpbusd, conversions, scales), 3 on p5, 9 anywhere: 0.75 cycles per output vector, by p01 and by all
 *                      three ports alike. The two chains of 8 vpdpbusd take 40 cycles, so four blocks must overlap
 *   q4_0, AVX2         the unsigned codes are multiplied as they are, and 8 times the sum of the activations, one number a block for all rows, is taken off.
 *                      vpmaddubsw of codes below 16 leaves room in 16 bits: eight of them (at most 8 x 2 x 15 x 127 = 30480) are added before vpmaddwd
 *                      widens once a block. 1 shift, 2 ANDs, 2 vpmaddubsw, 2 vpaddw; a block: 15 more. 77 issued: 69 of arithmetic, 8 loads.
 *                      34 on p01, 3 on p5, 32 anywhere: 1.44. Zen 3: 69 on four pipes, 1.08
 *   iq4_nl, AVX-VNNI   the codebook in the register is offset by 128, so the looked-up bytes are unsigned (1 to 241); the sums begin at -128 sum a. 1 shift, 2
 *                      ANDs, 2 vpshufb, 2 vpdpbusd; a block: 11 more. 77 issued: 67 of arithmetic, 10 loads.
 *                      32 on p01, 16 on p15, 3 on p5, 16 anywhere: 1.40
 *
 *   ymm0-1 accumulators   ymm2, ymm3 sums of the rows 0-7 and 8-15   ymm4 activations, scales   ymm5 codes, values, products   ymm6 mask 0x0f, codebook
 *   ymm7 scales   ymm8-15 weights   of q4_0, AVX-VNNI ymm2 mask   ymm3, ymm4 sums L, L + 16 H   ymm5 activations, scales   ymm6 codes
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            18.0
#define GROUP_DOTS       2
#define GROUP_VECTORS    16
#define LEAST            2
#define MOST             2
#define WEIGHT_BYTES     288
#if defined CODES_ARE_INDICES
#define ACTIVATION_BYTES 100 /* eight times the scale, -128 sum a */
#elif defined SUMS_OF_WORDS
#define ACTIVATION_BYTES 128 /* eight times -8 sum a, eight times the scale */
#else
#define ACTIVATION_BYTES 136 /* eight times the scale, eight times a sixteenth of it, -8 sum a, -136 sum a */
#endif
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#if defined CODES_ARE_INDICES || defined SUMS_OF_WORDS
#define LOW    ymm2
#define HIGH   ymm3
#define SCALES ymm4
#define HALVES xmm4
#else
#define LOW    ymm3
#define HIGH   ymm4
#define SCALES ymm5
#define HALVES xmm5
#endif

#if defined CODES_ARE_INDICES
    .section .rodata
    .balign 32
.Lmask: .fill 32, 1, 0x0f
.Lcodebook: .byte 1, 24, 45, 63, 79, 93, 106, 118, 129, 141, 153, 166, 181, 197, 217, 241

.macro load_constants
    vbroadcasti128 ymm6, [rip + .Lcodebook]
.endm

.macro quad weights, k
    vpbroadcastd ymm4, [rsi + \k]
    vpand ymm5, ymm\weights, [rip + .Lmask]
    vpshufb ymm5, ymm6, ymm5
    {vex} vpdpbusd ymm2, ymm5, ymm4
    vpsrlw ymm5, ymm\weights, 4
    vpand ymm5, ymm5, [rip + .Lmask]
    vpshufb ymm5, ymm6, ymm5
    {vex} vpdpbusd ymm3, ymm5, ymm4
.endm

.macro begin
    vpbroadcastd ymm2, [rsi + 96]
    vpbroadcastd ymm3, [rsi + 96]
.endm

.macro finish
    vcvtdq2ps ymm2, ymm2
    vcvtdq2ps ymm3, ymm3
.endm

#define SCALE_LOW  64
#define SCALE_HIGH 64
#elif defined SUMS_OF_WORDS
    .section .rodata
    .balign 32
.Lones: .fill 16, 2, 1

.macro load_constants
    mov eax, 0x0f0f0f0f
    vmovd xmm6, eax
    vpbroadcastd ymm6, xmm6
.endm

.macro quad weights, k
    vpbroadcastd ymm4, [rsi + \k]
    vpand ymm5, ymm\weights, ymm6
    multiply 2, \k
    vpsrlw ymm5, ymm\weights, 4
    vpand ymm5, ymm5, ymm6
    multiply 3, \k
.endm

.macro multiply sums, k
    .if \k
    vpmaddubsw ymm5, ymm5, ymm4
    vpaddw ymm\sums, ymm\sums, ymm5
    .else
    vpmaddubsw ymm\sums, ymm5, ymm4
    .endif
.endm

.macro begin
.endm

/* 16-bit sums to the signed dot products as floats */
.macro finish
    .irp sums, 2, 3
    vpmaddwd ymm\sums, ymm\sums, [rip + .Lones]
    vpaddd ymm\sums, ymm\sums, [rsi + 64]
    vcvtdq2ps ymm\sums, ymm\sums
    .endr
.endm

#define SCALE_LOW  96
#define SCALE_HIGH 96
#else
.macro load_constants
    mov eax, 0x0f0f0f0f
    vmovd xmm2, eax
    vpbroadcastd ymm2, xmm2
.endm

.macro quad weights, k
    vpbroadcastd ymm5, [rsi + \k]
    vpand ymm6, ymm\weights, ymm2
    {vex} vpdpbusd ymm3, ymm6, ymm5
    {vex} vpdpbusd ymm4, ymm\weights, ymm5
.endm

.macro begin
    vpbroadcastd ymm3, [rsi + 128]
    vpbroadcastd ymm4, [rsi + 132]
.endm

.macro finish
    vpsubd ymm4, ymm4, ymm3
    vcvtdq2ps ymm3, ymm3
    vcvtdq2ps ymm4, ymm4
.endm

#define SCALE_LOW  64
#define SCALE_HIGH 96
#endif

.macro load_weights base, offset
    vmovdqu ymm7, [\base + \offset]
    vmovdqu ymm8, [\base + \offset + 32]
    vmovdqu ymm9, [\base + \offset + 64]
    vmovdqu ymm10, [\base + \offset + 96]
    vmovdqu ymm11, [\base + \offset + 128]
    vmovdqu ymm12, [\base + \offset + 160]
    vmovdqu ymm13, [\base + \offset + 192]
    vmovdqu ymm14, [\base + \offset + 224]
    vmovdqu ymm15, [\base + \offset + 256]
.endm

.macro dot_into number, source
    vfmadd231ps ymm\number, SCALES, \source
.endm

.macro group
    begin
    quad 8, 0
    quad 9, 4
    quad 10, 8
    quad 11, 12
    quad 12, 16
    quad 13, 20
    quad 14, 24
    quad 15, 28
    finish
    vcvtph2ps SCALES, xmm7
    vmulps SCALES, SCALES, [rsi + SCALE_LOW]
    dot LOW
    vextracti128 HALVES, ymm7, 1
    vcvtph2ps SCALES, HALVES
    vmulps SCALES, SCALES, [rsi + SCALE_HIGH]
    dot HIGH
.endm

    sequence_functions
#else
#include "micro/families/block32/block32.h"

#ifdef CODES_ARE_INDICES
#define VALUES block32_nonlinear
#else
#define VALUES block32_offset8
#endif

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    block32_refer(data, BLOCK32_PAIRED, 8, dot, VALUES, sum, magnitude);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    int32_t total = block32_fill(weights, activations, BLOCK32_PAIRED, 8, seed);
#if defined CODES_ARE_INDICES
    blocks_put_float(activations + BLOCK32_OWN, blocks_float(activations + BLOCK32_FLOAT), 8);
    blocks_put_int32(activations + BLOCK32_OWN + 32, -128 * total, 1);
#elif defined SUMS_OF_WORDS
    blocks_put_int32(activations + BLOCK32_OWN, -8 * total, 8);
    blocks_put_float(activations + BLOCK32_OWN + 32, blocks_float(activations + BLOCK32_FLOAT), 8);
#else
    blocks_put_float(activations + BLOCK32_OWN, blocks_float(activations + BLOCK32_FLOAT), 8);
    blocks_put_float(activations + BLOCK32_OWN + 32, blocks_float(activations + BLOCK32_FLOAT) / 16, 8);
    blocks_put_int32(activations + BLOCK32_OWN + 64, -8 * total, 1);
    blocks_put_int32(activations + BLOCK32_OWN + 68, -136 * total, 1);
#endif
}
#endif
