/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Masks without VNNI; columns 0-3 and 4-7 are added as words. 30 uops for 8 output vectors.
 *
 *   ymm0-7 sums of 2 panels, of fields 0-3; fields 1 and 3 times 4   the others: int2_vnni4.mask.avx2.inc
 */
#include "micro/kernels/int2_vnni4/layout.h"

#define INTERLEAVE    2
#define SUMS          4
#define OPERAND_BYTES STEP_COLUMNS
#include "micro/kernels/microkernel_frame.h"

#ifdef __ASSEMBLER__

#include "micro/sequences/x86_64/int2_vnni4.mask.avx2.inc"

.macro load_constants
.endm

.macro operand address
    vpbroadcastd ymm10, dword ptr [\address]
    vpbroadcastd ymm11, dword ptr [\address + 4]
.endm

.macro step base, address
    load_weights \address, 0
    dots_into \base, SUMS
    group
.endm

    microkernel_functions

#endif
