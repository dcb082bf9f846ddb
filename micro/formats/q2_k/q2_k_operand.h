/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Activations of a block of 256 columns, for the assembly of sequences and kernels of Q2_K whose lanes are rows: 256 int8, then
 *
 *   Q2_K_SUMS     words, of groups 4 m, 4 m + 2 the sums of their activations, of 4 m + 1, 4 m + 3 16 times as much: at most 32512.
 *                 Minima stand 16 times too high in the one and not in the other, so all are 16 times too large
 *   Q2_K_SCALE    their scale, float
 *   Q2_K_MINIMA   minus a sixteenth of it
 *
 * With AVX2 all sums are once themselves, and Q2_K_MINIMA is minus the scale. Q2_K_SUM_AT is the word of a group.
 */
#define Q2_K_SUMS          256
#define Q2_K_SCALE         288
#define Q2_K_MINIMA        292
#define Q2_K_OPERAND_BYTES 320
#define Q2_K_SUM_AT(group) ((group) / 4 * 4 + (group) % 2 * 2 + (group) % 4 / 2)
