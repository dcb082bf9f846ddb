/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the AVX-512 sequences of mixed2 share: the block in registers and its fields as floats. zmm27-29 codes of the
 * three groups, lanes are rows; ymm30 words of zeros and scales; xmm31 2-order scales and zeros.
 */
    .section .rodata
    .balign 16
/* the scales of the three groups in their words, and the factor by which they stand too high */
.Lscales: .long 0x000003c0, 0x00001c00, 0x0000e000, 0
.Lplaces: .float 0.015625, 0.0009765625, 0.0001220703125, 0
    .text

.macro load_weights base, offset
    vmovdqu32 zmm27, [\base + \offset]
    vmovdqu32 zmm28, [\base + \offset + 64]
    vmovdqu32 zmm29, [\base + \offset + 128]
    vmovdqu32 ymm30, [\base + \offset + 192]
    vmovq xmm31, qword ptr [\base + \offset + 224]
    vpinsrb xmm31, xmm31, byte ptr [\base + \offset + 232], 8
.endm

/* scale2, as small as the scales stand high, at rsp - 16; scale2 times zero2 at rsp - 32: in the red zone */
.macro second_order a, b
    vcvtph2ps xmm\a, xmm31
    vpsrldq xmm\b, xmm31, 6
    vpmovzxbd xmm\b, xmm\b
    vcvtdq2ps xmm\b, xmm\b
    vmulps xmm\b, xmm\b, xmm\a
    vmulps xmm\a, xmm\a, [rip + .Lplaces]
    vmovups [rsp - 16], xmm\a
    vmovups [rsp - 32], xmm\b
.endm

/* of the double words zmm`words`; zmm`mask` is 0x3 */
.macro take_zeros into, words, mask, g
    .if \g
    vpsrld zmm\into, zmm\words, 2 * \g
    vpandd zmm\into, zmm\into, zmm\mask
    .else
    vpandd zmm\into, zmm\words, zmm\mask
    .endif
    vcvtdq2ps zmm\into, zmm\into
.endm

/* scales of group g; zmm`other` is free */
.macro take_scales into, words, g, other
    vpandd zmm\into, zmm\words, dword ptr [rip + .Lscales + 4 * \g]{1to16}
    vcvtdq2ps zmm\into, zmm\into
    vbroadcastss zmm\other, [rsp - 16 + 4 * \g]
    vfmsub213ps zmm\into, zmm\other, dword ptr [rsp - 32 + 4 * \g]{1to16}
.endm

.macro take_codes into, codes, mask, column
    .if \column
    vpsrld zmm\into, zmm\codes, 2 * \column
    .if \column < 15
    vpandd zmm\into, zmm\into, zmm\mask
    .endif
    .else
    vpandd zmm\into, zmm\codes, zmm\mask
    .endif
    vcvtdq2ps zmm\into, zmm\into
.endm
