/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes of a block of q5_k_m16; format.c draws it.
 */
#define BLOCK_ROWS    16
#define BLOCK_COLUMNS 256
#define BLOCK_BYTES   2816
#define K_QUANT_BITS  5
