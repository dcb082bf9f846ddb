/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sizes of a block of q5_k_m16, and where the bytes of a row's block lie in it; format.c draws it.
 */
#define BLOCK_ROWS    16
#define BLOCK_COLUMNS 256
#define BLOCK_BYTES   2816
#define K_QUANT_BITS  5
#define BLOCK_PARTS                                                                                                    \
    {                                                                                                                  \
        {0, 2, 2, 0}, {2, 2, 2, 0}, {4, 12, 4, 0}, {16, 32, 4, 0}, {48, 128, 4, 0},                                    \
    }
