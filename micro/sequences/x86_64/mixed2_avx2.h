/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the AVX2 sequences of mixed2 share: the block in registers and its fields as floats. ymm8-13 codes of group g,
 * rows 8 h to 8 h + 7 in register 8 + 2 g + h; ymm14 words of zeros and scales; xmm15 2-order scales and zeros.
 */
    .section .rodata
    .balign 32
.Lthree: .fill 8, 4, 3
/* the scales of the three groups in their words, and the factor by which they stand too high */
.Lscales:
    .fill 8, 4, 0x000003c0
    .fill 8, 4, 0x00001c00
    .fill 8, 4, 0x0000e000
.Lplaces: .float 0.015625, 0.0009765625, 0.0001220703125, 0
    .text

.macro load_weights base, offset
    vmovdqu ymm8, [\base + \offset]
    vmovdqu ymm9, [\base + \offset + 32]
    vmovdqu ymm10, [\base + \offset + 64]
    vmovdqu ymm11, [\base + \offset + 96]
    vmovdqu ymm12, [\base + \offset + 128]
    vmovdqu ymm13, [\base + \offset + 160]
    vmovdqu ymm14, [\base + \offset + 192]
    vmovq xmm15, qword ptr [\base + \offset + 224]
    vpinsrb xmm15, xmm15, byte ptr [\base + \offset + 232], 8
.endm

/* scale2, as small as the scales stand high, at rsp - 16; scale2 times zero2 at rsp - 32: in the red zone */
.macro second_order a, b
    vcvtph2ps xmm\a, xmm15
    vpsrldq xmm\b, xmm15, 6
    vpmovzxbd xmm\b, xmm\b
    vcvtdq2ps xmm\b, xmm\b
    vmulps xmm\b, xmm\b, xmm\a
    vmulps xmm\a, xmm\a, [rip + .Lplaces]
    vmovups [rsp - 16], xmm\a
    vmovups [rsp - 32], xmm\b
.endm

.macro widen_row_words into, h
    .if \h
    vextracti128 xmm\into, ymm14, 1
    vpmovzxwd ymm\into, xmm\into
    .else
    vpmovzxwd ymm\into, xmm14
    .endif
.endm

.macro take_zeros into, words, g
    .if \g
    vpsrld ymm\into, ymm\words, 2 * \g
    vpand ymm\into, ymm\into, [rip + .Lthree]
    .else
    vpand ymm\into, ymm\words, [rip + .Lthree]
    .endif
    vcvtdq2ps ymm\into, ymm\into
.endm

/* too high by their place */
.macro take_scales words, g
    vpand ymm\words, ymm\words, [rip + .Lscales + 32 * \g]
    vcvtdq2ps ymm\words, ymm\words
.endm

.macro take_codes into, codes, column
    .if \column
    vpsrld ymm\into, ymm\codes, 2 * \column
    .if \column < 15
    vpand ymm\into, ymm\into, [rip + .Lthree]
    .endif
    .else
    vpand ymm\into, ymm\codes, [rip + .Lthree]
    .endif
    vcvtdq2ps ymm\into, ymm\into
.endm
