/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A step of 16 rows in the lanes; scales of the next step are dequantized while this one is multiplied, after the last one its own again.
 *
 *   zmm0 sums   rbx next step   the others: the .inc
 */
#define VECTOR_IS_ZMM
#include "micro/formats/mixed24/floats.h"

#ifdef __ASSEMBLER__

#include "micro/families/mixed24/mixed24.overlapped.avx512.inc"

.macro load_constants
    load_codes
    load_parameters rsi, 0
    first_scales
.endm

.macro step base, address, operand, near, far
    fetch_lines <\near>
    find_next rbx
    load_columns <\address>, 0
    load_parameters rbx, 0
    dots_into \base, 1
    group_of <\operand>
.endm

    microkernel_functions

#else
const struct kernel SELF = MIXED24_FLOATS_KERNEL;
#endif
