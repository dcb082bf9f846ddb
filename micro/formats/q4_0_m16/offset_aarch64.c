/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of sixteen rows on aarch64 (block32_panels_aarch64.h), four to a register of Neon, eight to one of 256 bits: codes are unsigned as they are stored,
 * 8 more than the weight, so the sums of a block begin at -8 times the sum of its activations. A mask and a shift part the two codes of a byte. With dot
 * products it is q4_0.signed.neon_dotprod but for where sums begin; without them activations of four columns are brought to every row, products of two of
 * them added in 16 bits.
 */
#include "micro/isa/registers_aarch64.h"

#define CODE_BYTES  16
#define CODE_BITS   0
#define CODE_OFFSET 8

ROWS_INLINE void decode(tile_bytes codes, tile_bytes *low, tile_bytes *high)
{
    *low = tile_and(codes, 15);
    *high = TILE_SHIFT_DOWN(codes, 4);
}

#include "micro/families/block32/block32_panels_aarch64.h"

const struct kernel SELF = BLOCK32_PANELS_KERNEL;

#include "micro/frames/gamma.h"
