/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes of a block of q4_0_4x8; format.c draws it. BLOCK_CHUNK: bytes of a row side by side; BLOCK_TURNED: bits of each byte that are
 * stored turned over.
 */
#define BLOCK_ROWS    4
#define BLOCK_COLUMNS 32
#define BLOCK_BYTES   72
#define BLOCK_CODES   8
#define BLOCK_CHUNK   8
#define BLOCK_TURNED  0x88
