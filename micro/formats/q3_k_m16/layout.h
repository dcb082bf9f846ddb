/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes of a block of q3_k_m16; format.c draws it.
 */
#define BLOCK_ROWS    16
#define BLOCK_COLUMNS 256
#define BLOCK_BYTES   1760
#define SCALES        32
#define HIGH          224
#define CODES         736
