/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of mixed24 with 256 bits, also with outliers (micro/families/mixed24/mixed24_outliers_lanes.h): 16 rows in the lanes of two registers; of each of two
 * panels a group of micro/families/mixed24/mixed24.lanes.256.inc a step.
 *
 *   ymm0-3 sums of halves of two panels   the others: the .inc
 */
#include "micro/formats/mixed24/lanes.h"

#ifdef __ASSEMBLER__

#include "micro/families/mixed24/mixed24.lanes.256.inc"

.macro step base, address, operand, near, far
    fetch_lines <\near>
    dots_into \base, 2
    group_of <\operand>, <\address>
.endm

    microkernel_functions

#else
const struct kernel SELF = MIXED24_LANES_KERNEL;
#endif
