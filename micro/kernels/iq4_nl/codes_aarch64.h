/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Codes of the orders of IQ4_NL on aarch64: tbl looks up 16 values of the codebook, which are signed bytes.
 */
#include "micro/kernels/iq4_nl/codebook.h"
#include "micro/kernels/registers_aarch64.h"

#define CODE_BYTES 16
#define CODE_BITS  0

ROWS_INLINE void decode(tile_bytes codes, tile_bytes *low, tile_bytes *high)
{
    static const int8_t values[16] = {IQ4_NL_CODEBOOK};
    *low = tile_look_up(values, tile_and(codes, 15));
    *high = tile_look_up(values, TILE_SHIFT_DOWN(codes, 4));
}
