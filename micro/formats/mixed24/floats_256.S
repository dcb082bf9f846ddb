/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of mixed24 in floats, a step of 16 rows in the lanes, 8 at a time, dequantized to registers (fused), or to a buffer in the first-level cache (buffered).
 *
 *   ymm0, ymm1 sums of both halves   ymm10 0, 1, 2, 3 twice   the others: the .inc, DEQUANTIZED says which
 */
#include "micro/of_self.h"

#include "micro/formats/mixed24/floats.h"

#ifdef __ASSEMBLER__

#define TABLE 10
#include OF_ISA(micro/families/mixed24/mixed24.DEQUANTIZED)

.macro load_constants
    load_codes
.endm

.macro half number, address, operand
    load_columns <\address>, \number
    load_second_order <\address>
    group_of <\operand>, <xmmword ptr [\address + MIXED24_WORDS + 16 * \number]>, <qword ptr [\address + MIXED24_SCALE2]>
.endm

.macro step base, address, operand, near, far
    fetch_lines <\near>
    dots_into \base, 2
    half 0, <\address>, <\operand>
    half 1, <\address>, <\operand>
.endm

    microkernel_functions

#else
const struct kernel SELF = MIXED24_FLOATS_KERNEL;
#endif
