/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The microkernel of [envelope, III-D, Fig. 2]: broadcast 32 bits, byte shuffle, AND, compare, blend,
 * dot product for every 32 weights.
 *
 *   ymm0-7 sums of 2 panels   the others: int1_vnni4.envelope.inc
 */
#include "micro/kernels/int1_vnni4/layout.h"

#define WEIGHTS_ARE_SIGNED

#define INTERLEAVE    2
#define SUMS          4
#define OPERAND_BYTES STEP_COLUMNS
#include "micro/kernels/microkernel_frame.h"

#ifdef __ASSEMBLER__

#include "micro/sequences/x86_64/dot.avx_vnni_int8.inc"
#include "micro/sequences/x86_64/int1_vnni4.envelope.inc"
#include "micro/kernels/int1_vnni4/words.inc"

    microkernel_functions

#endif
