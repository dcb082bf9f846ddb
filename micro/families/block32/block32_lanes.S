/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of 16 interleaved rows of blocks of 32 columns: a block a step, lanes are rows, with registers of 256 bits 8 of them beside the other 8. The
 * sums of a block are converted and scaled for all of them at once. Codes are multiplied as they are stored, or looked up in a register
 * (CODES_ARE_INDICES).
 */
#include "micro/of_self.h"

#ifndef CODES_ARE_SPLIT
#define CODES_ARE_SPLIT 0
#endif
#include "micro/families/block32/block32_lanes_frame.h"

#ifdef __ASSEMBLER__

#ifdef CODES_ARE_INDICES
#include "micro/families/block32/block32_lookup.inc"
#endif
#ifdef VECTOR_IS_ZMM
#include "micro/families/block32/block32_lanes.avx512_vnni.inc"
#else
#include OF_ISA(micro/families/block32/block32_lanes)
#endif
#include "micro/families/block32/block32_lanes_step.h"

.macro load_constants
#ifndef CODES_ARE_BYTES
    load_constants_from edi
#endif
.endm

    microkernel_functions

#else
const struct kernel SELF = BLOCK32_LANES_KERNEL;
#endif
