/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Activations of a block of 256 columns, for sequences and kernels of Q6_K row by row: 256 int8, then
 *
 *   Q6_K_SUMS        words, the sums of each 16
 *   Q6_K_SCALE       their scale, float
 *   Q6_K_START       32 bits: -32 times the sum of each four, which makes codes weights
 *   Q6_K_MINUS_SUMS  words, minus the sums of groups of even number, then of odd number
 */
#define Q6_K_SUMS          256
#define Q6_K_SCALE         288
#define Q6_K_START         320
#define Q6_K_MINUS_SUMS    576
#define Q6_K_OPERAND_BYTES 640
