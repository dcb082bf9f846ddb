/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Activations of a block of 32 columns, for the assembly of sequences and kernels whose lanes are rows: 32 int8, then at these bytes
 *
 *   OPERAND_SCALE        their scale, float
 *   OPERAND_START        where sums begin, int32: minus the offset of the codes times the sum of the activations, or of the first 16
 *   OPERAND_START_HIGH   where sums of high nibbles begin that are 16 times too large, int32
 *   OPERAND_MAGNITUDES   32 magnitudes of the activations, where signs go to the weights
 */
#define OPERAND_SCALE      36
#define OPERAND_START      40
#define OPERAND_START_HIGH 44
#define OPERAND_MAGNITUDES 48
