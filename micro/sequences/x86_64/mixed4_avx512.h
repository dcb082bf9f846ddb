/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the AVX-512 sequences of mixed4 share: the block in registers and its fields as floats. zmm28, zmm29 codes of
 * the columns 0-7 and 8-15, lanes are rows; xmm30 zeros and scales; xmm31 2-order scale and zero; zmm24, zmm25 their
 * factors; zmm26, zmm27 masks 0x0f, 0xf0 of double words.
 */
    .section .rodata
    .balign 4
.Lplace: .float 0.0625
    .text

.macro load_weights base, offset
    vmovdqu32 zmm28, [\base + \offset]
    vmovdqu32 zmm29, [\base + \offset + 64]
    vmovdqu32 xmm30, [\base + \offset + 128]
    vpbroadcastw xmm31, word ptr [\base + \offset + 144]
    vpinsrb xmm31, xmm31, byte ptr [\base + \offset + 146], 8
.endm

.macro load_masks
    mov eax, 0x0f
    vpbroadcastd zmm26, eax
    mov eax, 0xf0
    vpbroadcastd zmm27, eax
.endm

/* zmm24 scale2, as small as the scales stand high; zmm25 scale2 times zero2 */
.macro second_order
    vcvtph2ps xmm24, xmm31
    vpsrldq xmm25, xmm31, 8
    vpmovzxbd xmm25, xmm25
    vcvtdq2ps xmm25, xmm25
    vmulss xmm25, xmm25, xmm24
    vmulss xmm24, xmm24, [rip + .Lplace]
    vbroadcastss zmm24, xmm24
    vbroadcastss zmm25, xmm25
.endm

/* scales, and zeros, as floats */
.macro take_scales scales, zeros
    vpmovzxbd zmm\scales, xmm30
    vpandd zmm\zeros, zmm\scales, zmm26
    vcvtdq2ps zmm\zeros, zmm\zeros
    vpandd zmm\scales, zmm\scales, zmm27
    vcvtdq2ps zmm\scales, zmm\scales
    vfmsub213ps zmm\scales, zmm24, zmm25
.endm

/* column 0-7 of a register */
.macro take_codes into, codes, column
    .if \column
    vpsrld zmm\into, zmm\codes, 4 * \column
    .if \column < 7
    vpandd zmm\into, zmm\into, zmm26
    .endif
    .else
    vpandd zmm\into, zmm\codes, zmm26
    .endif
    vcvtdq2ps zmm\into, zmm\into
.endm
