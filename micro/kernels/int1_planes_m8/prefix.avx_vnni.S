/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prefix sums of planes; columns 0-3, then 4-7.
 *
 *   ymm0-7 sums of 1 panel   the others: int1_planes_m8.prefix.avx_vnni.inc
 */
#include "micro/kernels/int1_planes_m8/layout.h"

#define INTERLEAVE    1
#define SUMS          8
#define OPERAND_BYTES STEP_COLUMNS
#include "micro/kernels/microkernel_frame.h"

#ifdef __ASSEMBLER__

#include "micro/sequences/x86_64/int1_planes_m8.prefix.avx_vnni.inc"
#include "micro/kernels/two_registers.inc"

.macro load_constants
.endm

    microkernel_functions

#endif
