/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Activations of a block of 256 columns, for sequences and kernels of Q3_K whose lanes are rows: 256 int8, then
 *
 *   Q3_K_LANES_START  32 bits, of each group -4 times the sum of its activations, of those in odd fields of 32 columns -16 times
 *   Q3_K_LANES_STEP   their scale over Q3_K_LANES_PARTS, float: sums are 4 times themselves and scales of groups 256 times
 */
#define Q3_K_LANES_START 256
#define Q3_K_LANES_STEP  320
#define Q3_K_LANES_BYTES 384
#define Q3_K_LANES_PARTS 1024
