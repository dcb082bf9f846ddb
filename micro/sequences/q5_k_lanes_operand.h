/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Activations of a group of 32 columns, for sequences of Q5_K whose lanes are rows, 256 bits: 32 int8, then
 *
 *   Q5_K_LANES_SUMS   two words: the sums of columns 0 … 15 and 16 … 31, negative
 *   Q5_K_LANES_SCALE  float
 */
#define Q5_K_LANES_SUMS  32
#define Q5_K_LANES_SCALE 36
#define Q5_K_LANES_BYTES 64
