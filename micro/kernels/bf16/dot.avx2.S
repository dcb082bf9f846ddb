/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Widened by zero extension and a shift, exact, then multiply-add: 32 columns of a row a step, 12 uops.
 *
 *   ymm0-7 two sums a row, 4 rows   ymm8-11 activations of 32 columns   ymm12-15 weights
 */
#include "micro/kernels/bf16/layout.h"

#define INTERLEAVE    4
#define SUMS          2
#define OPERAND_BYTES (STEP_COLUMNS * 4)
#define SUMS_ARE_FLOATS
#include "micro/kernels/microkernel_frame.h"

#ifdef __ASSEMBLER__

.macro load_constants
.endm

.macro operand address
    vmovups ymm8, [\address]
    vmovups ymm9, [\address + 32]
    vmovups ymm10, [\address + 64]
    vmovups ymm11, [\address + 96]
.endm

.macro add_product sum, activations, weights:vararg
    vfmadd231ps ymm\sum, \activations, \weights
.endm

.macro step base, address
    vpmovzxwd ymm12, [\address]
    vpmovzxwd ymm13, [\address + 16]
    vpmovzxwd ymm14, [\address + 32]
    vpmovzxwd ymm15, [\address + 48]
    vpslld ymm12, ymm12, 16
    vpslld ymm13, ymm13, 16
    vpslld ymm14, ymm14, 16
    vpslld ymm15, ymm15, 16
    add_product %(\base), ymm8, ymm12
    add_product %(\base + 1), ymm9, ymm13
    add_product %(\base), ymm10, ymm14
    add_product %(\base + 1), ymm11, ymm15
.endm

    microkernel_functions

#endif
