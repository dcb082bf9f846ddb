/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two loads and two vpdpbusd a step: the baseline without an up-convert. 128 weights for 2 uops on p05.
 *
 *   zmm0-7 sums of 4 panels   zmm28 activations of the step   zmm30, zmm31 weights
 */
#define INTERLEAVE        4
#define SUMS          2
#define VECTOR        zmm
#define VECTOR_BYTES  64
#define STEP_BYTES    128
#define OPERAND_BYTES 4
#include "micro/kernels/microkernel_frame.h"


.macro load_constants
.endm

.macro operand address
    vpbroadcastd zmm28, dword ptr [\address]
.endm

.macro dot sum, weights
    vpdpbusd zmm\sum, \weights, zmm28
.endm

.macro step base, address
    vmovdqa64 zmm30, [\address]
    vmovdqa64 zmm31, [\address + 64]
    dot %(\base), zmm30
    dot %(\base + 1), zmm31
.endm

    microkernel_functions
