/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes of a block of tq1_0; format.c draws it.
 */
#define BLOCK_COLUMNS 256
#define BLOCK_BYTES   54
