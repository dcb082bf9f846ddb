/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Codes of the orders of Q4_0 on aarch64. A shift and a mask bring both codes of a byte, in two's complement, to its upper half, 16
 * times the weight, which the conversion to float undoes [arm-kernels-codebooks, 4.1.2]. Where no bits are stored turned over (BLOCK_TURNED) codes
 * are 8 more than the weight.
 */
#include "micro/isa/registers_aarch64.h"

#define CODE_BYTES  16
#define CODE_BITS   4
#define CODE_TURNED (BLOCK_TURNED ^ 0x88)

ROWS_INLINE void decode(tile_bytes codes, tile_bytes *low, tile_bytes *high)
{
    if (CODE_TURNED)
        codes = tile_turn_over(codes, CODE_TURNED);
    *low = TILE_SHIFT_UP(codes, 4);
    *high = tile_and(codes, 0xf0);
}

#ifdef __ARM_FEATURE_SVE
#define HALF 0.0625f

/**
 * Of 16 bytes that are in both halves of a register: the weights of the lower nibbles, then those of the upper where they stand, 16 times as
 * large. Codes are 8 more.
 */
ROWS_INLINE tile_bytes decode_halves(tile_bytes codes)
{
    codes = svand_u8_x(TILE_ALL, codes, tile_of_halves(0x0f, 0xf0));
    return svsub_u8_x(TILE_ALL, codes, tile_of_halves(8, 128));
}
#endif
