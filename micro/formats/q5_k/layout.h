/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes of a block of q5_k; format.c draws it.
 */
#define BLOCK_ROWS    1
#define BLOCK_COLUMNS 256
#define BLOCK_BYTES   176
#define K_QUANT_BITS  5
#define HIGH          16
#define CODES         48
