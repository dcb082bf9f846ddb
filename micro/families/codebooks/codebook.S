/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of interleaved rows of group-wise codebooks: a block of 16 rows a step, lanes are rows; with registers of 256 bits 8 of them beside the other 8.
 */
#include "micro/families/codebooks/codebook_lanes_frame.h"

#ifndef __ASSEMBLER__
const struct kernel SELF = CODEBOOK_LANES_KERNEL;
#endif
