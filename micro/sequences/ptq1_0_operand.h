/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Activations of a block of 128 columns, for sequences and kernels of PTQ1_0 whose lanes are rows: 128 int8 in the order of ptq1_0_place(), then
 *
 *   PTQ1_0_SCALE  float; of sums that are 256 times what is wanted over 256
 *   PTQ1_0_START  int32: 256 times their sum; with AVX2 minus their sum
 */
#define PTQ1_0_SCALE 128
#define PTQ1_0_START 132
#define PTQ1_0_BYTES 144
