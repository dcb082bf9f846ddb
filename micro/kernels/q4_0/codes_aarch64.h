/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Codes of the orders of Q4_0 on aarch64. A shift and a mask bring both codes of a byte, in two's complement, to its upper half, 16
 * times the weight, which the conversion to float undoes [arm-kernels-codebooks, 4.1.2]. CODE_TURNED: bits that are stored the other
 * way round, 0x88 where codes are 8 more than the weight.
 */
#include "micro/kernels/registers_aarch64.h"

#define CODE_BYTES 16
#define CODE_BITS  4

ROWS_INLINE void decode(tile_bytes codes, tile_bytes *low, tile_bytes *high)
{
    if (CODE_TURNED)
        codes = tile_turn_over(codes, CODE_TURNED);
    *low = TILE_SHIFT_UP(codes, 4);
    *high = tile_and(codes, 0xf0);
}
