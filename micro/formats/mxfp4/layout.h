/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes of a block of mxfp4; format.c draws it.
 */
#define BLOCK_ROWS    1
#define BLOCK_COLUMNS 32
#define BLOCK_BYTES   17
#define BLOCK_CODES   1
