/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of mixed24 in floats, a step of 16 rows in the lanes, dequantized to registers (fused), or to a buffer in the first-level cache (buffered).
 *
 *   zmm0 sums   the others: the .inc, DEQUANTIZED says which
 */
#define VECTOR_IS_ZMM
#include "micro/of_self.h"

#include "micro/formats/mixed24/floats.h"

#ifdef __ASSEMBLER__

#include OF_ISA(micro/families/mixed24/mixed24.DEQUANTIZED)

.macro load_constants
    load_codes
.endm

.macro step base, address, operand, near, far
    fetch_lines <\near>
    load_columns <\address>, 0
    load_parameters <\address>, 0
    dots_into \base, 1
    group_of <\operand>
.endm

    microkernel_functions

#else
const struct kernel SELF = MIXED24_FLOATS_KERNEL;
#endif
