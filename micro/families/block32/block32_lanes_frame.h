/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inner loop of a GEMV of 16 interleaved rows of blocks of 32: a step of microkernel_frame.h, a block of each of four panels. Its
 * arithmetic is that of micro/families/block32/block32_lanes.<isa>.inc; with 256 bits it runs twice, on 8 rows each. The kernel's .S
 * defines CODES_ARE_… as its format has them, and VECTOR_IS_ZMM where it is, then includes this; for the
 * assembler it includes the .inc and block32_lanes_step.h, and defines load_constants.
 */
#define INTERLEAVE 4
#define ROWS       BLOCK_ROWS
#define STEP_BYTES BLOCK_BYTES
#define SUMS_ARE_FLOATS
#define STEP_FETCHES
#ifdef VECTOR_IS_ZMM
#define SUMS 1
#else
#define SUMS 2
#endif
#define OPERAND_BYTES 80 /* a struct block32_operand */

#ifndef __ASSEMBLER__
#include "micro/families/block32/block32_lanes.h"
#endif

#include "micro/frames/microkernel_frame.h"
