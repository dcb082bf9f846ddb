/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inner loop of a GEMV of mixed24 with 512 bits: a step of microkernel_frame.h, of each of two panels a group of
 * micro/sequences/x86_64/mixed24.lanes.512.inc, of avx512_vbmi_vnni with CODES_ARE_INDICES, else of avx512_vnni.
 *
 *   zmm0, zmm1 sums of two panels   zmm16-20 codes   the others: the .inc
 */
#include "micro/kernels/mixed24/layout.h"
#include "micro/sequences/mixed24_operand.h"

#define INTERLEAVE    2
#define SUMS          1
#define ROWS          MIXED24_ROWS
#define STEP_BYTES    MIXED24_STEP_BYTES
#define OPERAND_BYTES MIXED24_OPERAND_BYTES
#define VECTOR_IS_ZMM
#define SUMS_ARE_FLOATS
#define STEP_FETCHES
#define MIXED24_PREFETCH 6144
#ifndef __ASSEMBLER__
#ifdef OUTLIERS_PER_MILLE
#include "micro/kernels/mixed24_outliers_lanes.h"
#else
#include "micro/kernels/mixed24/lanes.h"
#endif
#endif
#include "micro/kernels/microkernel_frame.h"

#ifdef __ASSEMBLER__

#ifdef CODES_ARE_INDICES
#include "micro/sequences/x86_64/mixed24.lanes.avx512_vbmi_vnni.inc"
#else
#include "micro/sequences/x86_64/mixed24.lanes.avx512_vnni.inc"
#endif

.macro load_constants
    load_constants_from edi
.endm

.macro step base, address, operand, near, far
    .irp line, 0, 1, 2, 3, 4, 5
    prefetcht0 [\near + 64 * \line]
    .endr
    vmovdqu32 zmm16, [\address + MIXED24_CODES2]
    vmovdqu32 zmm17, [\address + MIXED24_CODES2 + 64]
    vmovdqu32 zmm18, [\address + MIXED24_CODES2 + 128]
    vmovdqu32 zmm19, [\address + MIXED24_CODES4]
    vmovdqu32 zmm20, [\address + MIXED24_CODES4 + 64]
    dots_into \base, 1
    group_of <\operand>, zmm16, zmm17, zmm18, zmm19, zmm20, <ymmword ptr [\address + MIXED24_WORDS]>, <qword ptr [\address + MIXED24_SCALE2]>, <dword ptr [\address + MIXED24_ZERO2]{1to4}>
.endm

    microkernel_functions

#endif
