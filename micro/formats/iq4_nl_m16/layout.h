/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes of a block of iq4_nl_m16; format.c draws it. BLOCK_CHUNK: bytes of a row side by side; BLOCK_TURNED: bits of each byte that are
 * stored turned over.
 */
#define BLOCK_ROWS    16
#define BLOCK_COLUMNS 32
#define BLOCK_BYTES   288
#define BLOCK_CODES   32
#define BLOCK_CHUNK   4
#define BLOCK_TURNED  0
