/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes of a block of ptq1_0; format.c draws it.
 */
#define BLOCK_ROWS    1
#define BLOCK_COLUMNS 128
#define BLOCK_BYTES   28
