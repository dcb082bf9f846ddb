/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two tiles a step, each triple with its tables.
 */
#include "micro/formats/tl2/layout.h"

#define BASE               29
#define TRIPLE_TABLE_BYTES 64
#define STEP_BYTES         (2 * TL2_TILE_BYTES)
#define OPERAND_BYTES      (2 * TL2_TRIPLES * TRIPLE_TABLE_BYTES)
#include "micro/families/lookup/lookup_digits_frame.h"

#ifdef __ASSEMBLER__

#include "micro/formats/tl2/tl2.digits.avx512_vbmi_vnni.inc"

.macro load_constants
    step_constants edi
.endm

.macro triple low, high, number, address, tables
    vmovdqa64 ymm28, [\tables + \number * TRIPLE_TABLE_BYTES]
    vmovdqa64 ymm29, [\tables + \number * TRIPLE_TABLE_BYTES + 32]
    look_up_triple \number, \low, \high, zmm26, zmm28, zmm29, [\address+\number/2*TL2_ROWS]
.endm

.macro tile low, high, address, tables, near, far
    vmovdqa64 zmm26, [\address + TL2_SIGNS]
    fetch \near, \far
    triple \low, \high, 0, \address, \tables
    triple \low, \high, 4, \address, \tables
    fetch \near + 64, \far + 64
    triple \low, \high, 1, \address, \tables
    triple \low, \high, 5, \address, \tables
    fetch \near + 128, \far + 128
    triple \low, \high, 2, \address, \tables
    triple \low, \high, 6, \address, \tables
    fetch \near + 192, \far + 192
    triple \low, \high, 3, \address, \tables
    triple \low, \high, 7, \address, \tables
    fetch \near + 256, \far + 256
.endm

.macro step base, address, operand, near, far
    tile zmm16, zmm17, \address, \operand, \near, \far
    tile zmm18, zmm19, \address + TL2_TILE_BYTES, \operand+OPERAND_BYTES/2, \near + TL2_TILE_BYTES, \far + TL2_TILE_BYTES
    dots_into \base, SUMS
    dot_digits
.endm

    microkernel_functions

#endif
