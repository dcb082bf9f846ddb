/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of 16 interleaved rows of blocks of codes of 1 or 2 bits, which are masked in their bytes; lanes are rows. A step of microkernel_frame.h is a block
 * of each panel, FIELD_PARTS groups of micro/families/fields/fields_lanes.<isa>.inc: two of pq2_0_m16, whose activations have a scale for each 64. With
 * 256 bits they run twice, on 8 rows each, and two panels go side by side, since so few registers hold no more beside the masks. SUMS_OF_WORDS: AVX2.
 */
#define ROWS       BLOCK_ROWS
#define STEP_BYTES BLOCK_BYTES
#define SUMS_ARE_FLOATS
#define STEP_FETCHES
#ifdef VECTOR_IS_ZMM
#define INTERLEAVE 4
#define SUMS       1
#else
#define INTERLEAVE 2
#define SUMS       2
#endif
#include "micro/families/fields/fields_operand.h"
#define OPERAND_BYTES (FIELD_PARTS * FIELDS_BYTES)

#ifndef __ASSEMBLER__
#include "micro/families/fields/fields_lanes.h"
#endif

#include "micro/frames/microkernel_frame.h"

#ifdef __ASSEMBLER__

/* Into the first level alone, as block32_lanes_step.h does. */
.macro fetch_lines near
    .set fetch_at, 0
    .rept (STEP_BYTES + 63) / 64
    prefetcht0 [\near + fetch_at]
    .set fetch_at, fetch_at + 64
    .endr
.endm

#ifdef VECTOR_IS_ZMM
#include "micro/families/fields/fields_lanes.avx512_vnni.inc"

.macro step base, address, operand, near, far
    fetch_lines <\near>
    dots_into \base, 1
    .set part, 0
    .rept FIELD_PARTS
    load_scales <\address>, 0
    load_lines <\address>, %(32 + 256 * part)
    group_of <\operand + FIELDS_BYTES * part>
    .set part, part + 1
    .endr
.endm
#else
#include "micro/families/fields/fields_lanes.256.inc"

.macro load_line number, weights
    .set line_at, 13
    vmovdqu ymm13, [\weights + 64 * \number]
.endm

.macro step base, address, operand, near, far
    fetch_lines <\near>
    dots_into \base, 2
    .set part, 0
    .rept FIELD_PARTS
    group_of <\operand + FIELDS_BYTES * part>, <xmmword ptr [\address]>, <\address + 32 + 256 * part>
    group_of <\operand + FIELDS_BYTES * part>, <xmmword ptr [\address + 16]>, <\address + 64 + 256 * part>
    .set part, part + 1
    .endr
.endm
#endif

.macro load_constants
    load_constants_from edi
.endm

    microkernel_functions

#else
const struct kernel SELF = FIELDS_LANES_KERNEL;
#endif
