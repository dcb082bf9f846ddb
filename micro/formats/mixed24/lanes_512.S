/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of mixed24 with 512 bits, also with outliers (micro/families/mixed24/mixed24_outliers_lanes.h): 16 rows in the lanes; of each of two panels a group of
 * micro/families/mixed24/mixed24.lanes.512.inc a step. avx512_vbmi_vnni looks codes up in registers.
 *
 *   zmm0, zmm1 sums of two panels   zmm16-20 codes   the others: the .inc
 */
#define VECTOR_IS_ZMM
#include "micro/of_self.h"

#include "micro/formats/mixed24/lanes.h"

#ifdef __ASSEMBLER__

#include OF_ISA(micro/families/mixed24/mixed24.lanes)

.macro step base, address, operand, near, far
    fetch_lines <\near>
    vmovdqu32 zmm16, [\address + MIXED24_CODES2]
    vmovdqu32 zmm17, [\address + MIXED24_CODES2 + 64]
    vmovdqu32 zmm18, [\address + MIXED24_CODES2 + 128]
    vmovdqu32 zmm19, [\address + MIXED24_CODES4]
    vmovdqu32 zmm20, [\address + MIXED24_CODES4 + 64]
    dots_into \base, 1
    group_of <\operand>, zmm16, zmm17, zmm18, zmm19, zmm20, <ymmword ptr [\address + MIXED24_WORDS]>, <qword ptr [\address + MIXED24_SCALE2]>, <dword ptr [\address + MIXED24_ZERO2]{1to4}>
.endm

    microkernel_functions

#else
const struct kernel SELF = MIXED24_LANES_KERNEL;
#endif
