/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes of a block of q6_k; format.c draws it.
 */
#define BLOCK_ROWS    1
#define BLOCK_COLUMNS 256
#define BLOCK_BYTES   210
#define HIGH          128
#define SCALES        192
#define D             208
