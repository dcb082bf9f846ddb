/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tl1.digits.avx512_vbmi_vnni.S of the sequences: two groups of four lines, 23 h + l. vpermb takes a table of 16 bytes four
 * times over, so that it takes no notice of bits 4-7, the other pair: bytes are indices as they are, or shifted.
 */
#define STEP_BYTES    512
#define OPERAND_BYTES 512
#define DIGITS        (1 + 23 * 256) * 65537
#include "micro/kernels/lookup_digits_frame.h"

.macro pair low, high, index, tables, is_first
    vbroadcasti32x4 zmm28, [\tables]
    vbroadcasti32x4 zmm29, [\tables + 16]
    find \low, \high, \index, \is_first
.endm

.macro line low, high, number, address, tables, near, far
    fetch \near, \far
    vmovdqa64 zmm23, [\address]
    vpsrld zmm24, zmm23, 4
    .if \number == 0
    pair \low, \high, zmm23, \tables, 1
    .else
    pair \low, \high, zmm23, \tables, 0
    .endif
    pair \low, \high, zmm24, \tables + 32, 0
.endm

.macro four_lines low, high, address, tables, near, far
    line \low, \high, 0, \address, \tables, \near, \far
    line \low, \high, 1, \address + 64, \tables + 64, \near + 64, \far + 64
    line \low, \high, 2, \address + 128, \tables + 128, \near + 128, \far + 128
    line \low, \high, 3, \address + 192, \tables + 192, \near + 192, \far + 192
.endm

.macro step base, address, operand, near, far
    four_lines zmm16, zmm17, \address, \operand, \near, \far
    four_lines zmm18, zmm19, \address + 256, \operand + 256, \near + 256, \far + 256
    add_all_digits \base
.endm

    microkernel_functions
