/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A block of 16 rows a step, lanes are rows; values are looked up in a register.
 */
#include "micro/kernels/mxfp4_m16/layout.h"

#define OFFSET          12
#define CODES_ARE_SPLIT 0
#define CODES_ARE_INDICES
#define SCALES_ARE_BYTES
#define VECTOR_IS_ZMM
#include "micro/kernels/block32_lanes_frame.h"

#ifdef __ASSEMBLER__

#include "micro/sequences/x86_64/mxfp4_m16.offset.avx512_vnni.inc"
#include "micro/sequences/x86_64/block32_lanes.avx512_vnni.inc"
#include "micro/kernels/block32_lanes_step.h"

.macro load_constants
    load_constants_from edi
.endm

    microkernel_functions

#endif
