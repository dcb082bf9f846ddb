/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four loads and four vpdpbusd a step: the baseline without an up-convert.
 *
 *   ymm0-11 sums of 3 panels   ymm12 activations of the step   ymm13-15 weights
 */
#define INTERLEAVE        3
#define SUMS          4
#define VECTOR        ymm
#define VECTOR_BYTES  32
#define STEP_BYTES    128
#define OPERAND_BYTES 4
#include "micro/kernels/microkernel_frame.h"


.macro load_constants
.endm

.macro operand address
    vpbroadcastd ymm12, dword ptr [\address]
.endm

.macro dot sum, weights
    {vex} vpdpbusd ymm\sum, \weights, ymm12
.endm

.macro step base, address
    vmovdqa ymm13, [\address]
    vmovdqa ymm14, [\address + 32]
    vmovdqa ymm15, [\address + 64]
    dot %(\base), ymm13
    vmovdqa ymm13, [\address + 96]
    dot %(\base + 1), ymm14
    dot %(\base + 2), ymm15
    dot %(\base + 3), ymm13
.endm

    microkernel_functions
