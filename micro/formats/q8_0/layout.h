/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes of a block of q8_0; format.c draws it. BLOCK_CHUNK: bytes of a row side by side, 0 of a row alone; BLOCK_TURNED: bits of each byte that are
 * stored turned over.
 */
#define BLOCK_ROWS    1
#define BLOCK_COLUMNS 32
#define BLOCK_BYTES   34
#define BLOCK_CODES   2
#define BLOCK_CHUNK   0
#define BLOCK_TURNED  0
