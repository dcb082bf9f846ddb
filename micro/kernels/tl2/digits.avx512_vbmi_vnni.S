/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tl2.digits.avx512_vbmi_vnni.S of the sequences: a step is two tiles. A triple's tables are 32 bytes of each digit, the
 * lower half those of positive and the upper half those of negative sums, so that nibble and sign are one index of vpermb;
 * it takes no notice of bits 5-7, in which other signs are left.
 */
#define STEP_BYTES    640
#define OPERAND_BYTES 1024
#define DIGITS        (1 + 29 * 256) * 65537
#include "micro/kernels/lookup_digits_frame.h"

/* vpternlogd first, mask, second: the mask's bits from the first, or from the second */
#define OF_FIRST 0xe2
#define OF_SECOND 0xb8

/* the sign of the triple to bit 4 of each byte */
.macro sign_of triple
    .if \triple < 3
    vpsrld zmm23, zmm22, 3 - \triple
    .elseif \triple == 3
    vmovdqa64 zmm23, zmm22
    .else
    vpslld zmm23, zmm22, \triple - 3
    .endif
.endm

.macro triple low, high, number, nibbles, tables
    vbroadcasti64x4 zmm28, [\tables]
    vbroadcasti64x4 zmm29, [\tables + 32]
    .if \number % 2
    vpsrld zmm24, [\nibbles], 4
    .if \number == 3
    vpternlogd zmm24, zmm21, zmm22, OF_FIRST
    .else
    sign_of \number
    vpternlogd zmm24, zmm21, zmm23, OF_FIRST
    .endif
    find \low, \high, zmm24, 0
    .else
    sign_of \number
    vpternlogd zmm23, zmm21, [\nibbles], OF_SECOND
    .if \number == 0
    find \low, \high, zmm23, 1
    .else
    find \low, \high, zmm23, 0
    .endif
    .endif
.endm

.macro tile low, high, address, tables, near, far
    vmovdqa64 zmm22, [\address + 256]
    fetch \near, \far
    triple \low, \high, 0, \address, \tables
    triple \low, \high, 1, \address, \tables + 64
    fetch \near + 64, \far + 64
    triple \low, \high, 2, \address + 64, \tables + 128
    triple \low, \high, 3, \address + 64, \tables + 192
    fetch \near + 128, \far + 128
    triple \low, \high, 4, \address + 128, \tables + 256
    triple \low, \high, 5, \address + 128, \tables + 320
    fetch \near + 192, \far + 192
    triple \low, \high, 6, \address + 192, \tables + 384
    triple \low, \high, 7, \address + 192, \tables + 448
    fetch \near + 256, \far + 256
.endm

.macro step base, address, operand, near, far
    tile zmm16, zmm17, \address, \operand, \near, \far
    tile zmm18, zmm19, \address + 320, \operand + 512, \near + 320, \far + 320
    add_all_digits \base
.endm

    microkernel_functions
