/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The microkernel of [envelope, III-B and III-C, Fig. 1].
 * Columns 0-3, then 4-7.
 *
 *   ymm0-3 sums of 1 panel   the others: int2_vnni4.envelope.inc
 */
#include "micro/kernels/int2_vnni4/layout.h"

#define WEIGHTS_ARE_SIGNED

#define INTERLEAVE    1
#define SUMS          4
#define OPERAND_BYTES STEP_COLUMNS
#include "micro/kernels/microkernel_frame.h"

#ifdef __ASSEMBLER__

#include "micro/sequences/x86_64/dot.avx_vnni_int8.inc"
#include "micro/sequences/x86_64/int2_vnni4.envelope.inc"
#include "micro/kernels/two_registers.inc"

.macro load_constants
    step_constants
.endm

    microkernel_functions

#endif
