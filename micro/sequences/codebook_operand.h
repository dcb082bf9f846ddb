/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Activations of a block of 256 columns, for the assembly of sequences and kernels of group-wise codebooks whose lanes are rows: 256
 * int8, then at these bytes
 *
 *   CB_STARTS   where the sum of each group of 16 begins, int32: -128 times the sum of its activations, since values are looked up with
 *               128 added, so that they are unsigned
 *   CB_SCALE    their scale, float
 *   CB_TABLE    64 bytes: the values of the codebooks, 128 more, as the look-up of the ISA and format wants them
 */
#define CB_STARTS        256
#define CB_SCALE         320
#define CB_TABLE         384
#define CB_OPERAND_BYTES 448
