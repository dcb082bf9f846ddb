/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Widened by vcvtph2ps, exact, then multiply-add: 32 columns of a row a step, 6 uops.
 *
 *   zmm0-7 two sums a row, 4 rows   zmm8-9 activations of 32 columns   zmm10-11 weights
 */
#include "micro/kernels/f16/layout.h"

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
    vcvtph2ps zmm10, [\address]
    vcvtph2ps zmm11, [\address + 32]
    add_product %(\base), zmm8, zmm10
    add_product %(\base + 1), zmm9, zmm11
.endm

    microkernel_functions

#endif
