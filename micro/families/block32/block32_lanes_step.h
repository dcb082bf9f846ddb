/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The step of block32_lanes_frame.h, for the assembler alone, after the .inc of its ISA.
 *
 *   zmm0-3 sums of four panels, ymm0-7 of their halves   ymm14, ymm15 lines   the others: the .inc
 */
/* Into the first level alone: with these few uops a line the core sees far enough, and a second prefetch took 3 to 9%. */
.macro fetch_lines near
    .set fetch_at, 0
    .rept (STEP_BYTES + 63) / 64
    prefetcht0 [\near + fetch_at]
    .set fetch_at, fetch_at + 64
    .endr
.endm

#ifdef VECTOR_IS_ZMM
.macro step base, address, operand, near, far
    fetch_lines <\near>
    dots_into \base, 1
    load_weights <\address>, 0
    group_of <\operand>
.endm
#else
#ifdef SCALES_ARE_BYTES
#define SCALES_OF_EIGHT qword ptr
#else
#define SCALES_OF_EIGHT xmmword ptr
#endif

.macro load_line number, weights
    .set line_at, 14 + \number % 2
    load_line_into %(line_at), <\weights>, \number
.endm

.macro load_line_into register, weights, number
    vmovdqu ymm\register, [\weights + 64 * \number]
.endm

.macro step base, address, operand, near, far
    fetch_lines <\near>
    dots_into \base, 2
    group_of <\operand>, <SCALES_OF_EIGHT [\address]>, <\address + BLOCK_CODES>
    group_of <\operand>, <SCALES_OF_EIGHT [\address + BLOCK_CODES / 2]>, <\address + BLOCK_CODES + 32>
.endm
#endif
