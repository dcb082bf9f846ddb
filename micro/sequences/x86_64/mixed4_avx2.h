/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the AVX2 sequences of mixed4 share: the block in registers and its fields as floats. Codes: ymm10, ymm11 columns
 * 0-7 of rows 0-7, 8-15, ymm12, ymm13 columns 8-15; xmm14 zeros and scales; xmm15 2-order scale and zero; ymm8, ymm9
 * their factors.
 */
    .section .rodata
    .balign 32
.Llow: .fill 8, 4, 0x0f
.Lhigh: .fill 8, 4, 0xf0
.Lplace: .float 0.0625
    .text

.macro load_weights base, offset
    vmovdqu ymm10, [\base + \offset]
    vmovdqu ymm11, [\base + \offset + 32]
    vmovdqu ymm12, [\base + \offset + 64]
    vmovdqu ymm13, [\base + \offset + 96]
    vmovdqu xmm14, [\base + \offset + 128]
    vpbroadcastw xmm15, word ptr [\base + \offset + 144]
    vpinsrb xmm15, xmm15, byte ptr [\base + \offset + 146], 8
.endm

/* ymm8 scale2, as small as the scales stand high; ymm9 scale2 times zero2 */
.macro second_order
    vcvtph2ps xmm8, xmm15
    vpsrldq xmm9, xmm15, 8
    vpmovzxbd xmm9, xmm9
    vcvtdq2ps xmm9, xmm9
    vmulss xmm9, xmm9, xmm8
    vmulss xmm8, xmm8, [rip + .Lplace]
    vbroadcastss ymm8, xmm8
    vbroadcastss ymm9, xmm9
.endm

.macro widen_row_bytes into, h
    .if \h
    vpsrldq xmm\into, xmm14, 8
    vpmovzxbd ymm\into, xmm\into
    .else
    vpmovzxbd ymm\into, xmm14
    .endif
.endm

.macro take_zeros into, bytes
    vpand ymm\into, ymm\bytes, [rip + .Llow]
    vcvtdq2ps ymm\into, ymm\into
.endm

.macro take_scales bytes
    vpand ymm\bytes, ymm\bytes, [rip + .Lhigh]
    vcvtdq2ps ymm\bytes, ymm\bytes
    vfmsub213ps ymm\bytes, ymm8, ymm9
.endm

/* column 0-7 of a register */
.macro take_codes into, codes, column
    .if \column
    vpsrld ymm\into, ymm\codes, 4 * \column
    .if \column < 7
    vpand ymm\into, ymm\into, [rip + .Llow]
    .endif
    .else
    vpand ymm\into, ymm\codes, [rip + .Llow]
    .endif
    vcvtdq2ps ymm\into, ymm\into
.endm
