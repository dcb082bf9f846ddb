/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Activations of a block of 256 columns, for sequences and kernels of Q6_K whose lanes are rows: 256 int8, then
 *
 *   Q6_K_LANES_START  32 bits, of each 8 columns -32 times the sum of their activations; with AVX2, of each 16 columns two words, of columns
 *                     0 and 1 and of columns 2 and 3 of each four of them, and then 32 bits that are not read
 *   Q6_K_LANES_SCALE  float
 */
#define Q6_K_LANES_START 256
#define Q6_K_LANES_SCALE 384
#define Q6_K_LANES_BYTES 448
