/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes of a block of q4_k_m16, and where the bytes of a row's block lie in it; format.c draws it.
 */
#define BLOCK_ROWS    16
#define BLOCK_COLUMNS 256
#define BLOCK_BYTES   2304
#define K_QUANT_BITS  4
#define BLOCK_PARTS                                                                                                    \
    {                                                                                                                  \
        {0, 2, 2, 0}, {2, 2, 2, 0}, {4, 12, 4, 0}, {16, 128, 4, 0},                                                    \
    }
