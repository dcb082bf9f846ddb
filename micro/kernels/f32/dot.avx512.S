/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Multiply-add from memory: 32 columns of a row a step, 2 uops. The loads are the limit.
 *
 *   zmm0-7 two sums a row, 4 rows   zmm8-9 activations of 32 columns   zmm10-11 weights
 */
#include "micro/kernels/f32/layout.h"

#define INTERLEAVE    4
#define SUMS          2
#define OPERAND_BYTES (STEP_COLUMNS * 4)
#define SUMS_ARE_FLOATS
#define VECTOR_IS_ZMM
#include "micro/kernels/microkernel_frame.h"

#ifdef __ASSEMBLER__

.macro load_constants
.endm

.macro operand address
    vmovups zmm8, [\address]
    vmovups zmm9, [\address + 64]
.endm

.macro add_product sum, activations, weights:vararg
    vfmadd231ps zmm\sum, \activations, \weights
.endm

.macro step base, address
    add_product %(\base), zmm8, [\address]
    add_product %(\base + 1), zmm9, [\address + 64]
.endm

    microkernel_functions

#endif
