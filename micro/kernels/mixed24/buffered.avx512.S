/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A step of 16 rows in the lanes, dequantized to a buffer in the first-level cache.
 *
 *   zmm0 sums   the others: the .inc
 */
#define VECTOR_IS_ZMM
#include "micro/kernels/mixed24/floats.h"

#ifdef __ASSEMBLER__

#include "micro/sequences/x86_64/mixed24.buffered.avx512.inc"

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

#endif
