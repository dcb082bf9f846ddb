/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Activations of a block of 256 columns, for sequences and kernels of Q3_K row by row: 256 int8, then
 *
 *   Q3_K_SUMS    words, the sums of each 16
 *   Q3_K_SCALE   their scale, float
 *   Q3_K_FIELDS  the same int8 as codes lie in 64 bytes: [field][half][32]
 *   Q3_K_START   32 bits: -4 times the sum of each four of a field, which makes codes weights; of odd fields -16 times
 */
#define Q3_K_SUMS          256
#define Q3_K_SCALE         288
#define Q3_K_FIELDS        320
#define Q3_K_START         576
#define Q3_K_OPERAND_BYTES 832
