/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes of a block of q4_k; format.c draws it.
 */
#define BLOCK_ROWS    1
#define BLOCK_COLUMNS 256
#define BLOCK_BYTES   144
#define K_QUANT_BITS  4
#define CODES         16
