/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes of a block of iq4_nl_8x8; format.c draws it. BLOCK_CHUNK: bytes of a row side by side; BLOCK_TURNED: bits of each byte that are
 * stored turned over.
 */
#define BLOCK_ROWS    8
#define BLOCK_COLUMNS 32
#define BLOCK_BYTES   144
#define BLOCK_CODES   16
#define BLOCK_CHUNK   8
#define BLOCK_TURNED  0
