/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Activations of 64 columns, for the assembly of sequences and kernels of mixed24: 64 int8 in their order, then
 *
 *   MIXED24_STARTS   of each 2-bit group four int32, 0, 1, 2 and 3 times minus the sum of its 16 activations: what the sum of a row begins
 *                    with, by its zero
 *   MIXED24_SCALE    of the activations, float
 *   MIXED24_SUM      minus the sum of the last 16 activations, int32 of 16 bits: dword 3 of the 16 bytes that MIXED24_SCALE begins
 */
#define MIXED24_STARTS        64
#define MIXED24_SCALE         112
#define MIXED24_SUM           124
#define MIXED24_OPERAND_BYTES 128
