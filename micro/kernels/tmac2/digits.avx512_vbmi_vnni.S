/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tmac2.digits.avx512_vbmi_vnni.S of the sequences: eight lines, 31 h + l. Lower and upper bits are looked up in the same
 * table of 16 bytes and added up apart; digits 2 and 62 make the upper ones count twice. vpermb takes the table four times
 * over, so that it takes no notice of bits 4-7: bytes are indices as they are, or shifted.
 */
#define STEP_BYTES    512
#define OPERAND_BYTES 256
#define DIGITS        (1 + 31 * 256) * (1 + 2 * 65536)
#include "micro/kernels/lookup_digits_frame.h"

.macro line number, address, tables, near, far
    fetch \near, \far
    vbroadcasti32x4 zmm28, [\tables]
    vbroadcasti32x4 zmm29, [\tables + 16]
    vmovdqa64 zmm23, [\address]
    vpsrld zmm24, zmm23, 4
    .if \number == 0
    find zmm16, zmm17, zmm23, 1
    find zmm18, zmm19, zmm24, 1
    .else
    find zmm16, zmm17, zmm23, 0
    find zmm18, zmm19, zmm24, 0
    .endif
.endm

.macro step base, address, operand, near, far
    line 0, \address, \operand, \near, \far
    line 1, \address + 64, \operand + 32, \near + 64, \far + 64
    line 2, \address + 128, \operand + 64, \near + 128, \far + 128
    line 3, \address + 192, \operand + 96, \near + 192, \far + 192
    line 4, \address + 256, \operand + 128, \near + 256, \far + 256
    line 5, \address + 320, \operand + 160, \near + 320, \far + 320
    line 6, \address + 384, \operand + 192, \near + 384, \far + 384
    line 7, \address + 448, \operand + 224, \near + 448, \far + 448
    add_all_digits \base
.endm

    microkernel_functions
