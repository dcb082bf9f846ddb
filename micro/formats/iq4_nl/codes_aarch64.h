/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Codes of the orders of IQ4_NL on aarch64: tbl looks up 16 values of the codebook, which are signed bytes.
 */
#include "micro/formats/iq4_nl/codebook.h"
#include "micro/isa/registers_aarch64.h"

#define CODE_BYTES 16
#define CODE_BITS  0

static const int8_t values[16] = {IQ4_NL_CODEBOOK};

ROWS_INLINE void decode(tile_bytes codes, tile_bytes *low, tile_bytes *high)
{
    *low = tile_look_up(values, tile_and(codes, 15));
    *high = tile_look_up(values, TILE_SHIFT_DOWN(codes, 4));
}

#ifdef __ARM_FEATURE_SVE
/** Of 16 bytes that are in both halves of a register: the values of the lower nibbles, then those of the upper. */
ROWS_INLINE tile_bytes decode_halves(tile_bytes codes)
{
    tile_bytes nibbles = svlsr_wide_u8_x(TILE_ALL, codes, svand_n_u64_x(TILE_ALL, svindex_u64(0, 2), 4));
    return tile_look_up(values, tile_and(nibbles, 15));
}
#endif
