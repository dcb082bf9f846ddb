/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A step of 16 rows in the lanes, 8 at a time; scales of the other half, or of the next step, are dequantized while one half is multiplied,
 * after the last step its own again.
 *
 *   ymm0, ymm1 sums of both halves   ymm10 0, 1, 2, 3 twice   rbx next step   the others: the .inc
 */
#include "micro/formats/mixed24/floats.h"

#ifdef __ASSEMBLER__

#define TABLE 10
#include "micro/families/mixed24/mixed24.overlapped.avx2.inc"

.macro load_constants
    load_codes
    load_second_order rsi
    first_scales <xmmword ptr [rsi + MIXED24_WORDS]>, <qword ptr [rsi + MIXED24_SCALE2]>
.endm

.macro half number, address, operand, next, next_words
    load_columns <\address>, \number
    load_second_order <\next>
    group_of <\operand>, <xmmword ptr [\address + MIXED24_WORDS + 16 * \number]>, <xmmword ptr [\next_words]>, <qword ptr [\next + MIXED24_SCALE2]>
.endm

.macro step base, address, operand, near, far
    fetch_lines <\near>
    find_next rbx
    dots_into \base, 2
    half 0, <\address>, <\operand>, <\address>, <\address + MIXED24_WORDS + 16>
    half 1, <\address>, <\operand>, rbx, <rbx + MIXED24_WORDS>
.endm

    microkernel_functions

#else
const struct kernel SELF = MIXED24_FLOATS_KERNEL;
#endif
