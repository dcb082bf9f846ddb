/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A block of 16 rows a step, lanes are rows: the sums of a block are converted and scaled for all of them at once.
 */
#include "micro/kernels/q4_0_m16/layout.h"

#define OFFSET          8
#define CODES_ARE_SPLIT 1
#include "micro/kernels/block32_lanes_frame.h"

#ifdef __ASSEMBLER__

#include "micro/sequences/x86_64/block32_lanes.avx_vnni.inc"
#include "micro/kernels/block32_lanes_step.h"

.macro load_constants
    load_constants_from edi
.endm

    microkernel_functions

#endif
