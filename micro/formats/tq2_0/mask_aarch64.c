/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows side by side: fields stay in their place, but the upper one, which would be negative there; sums of weight 1, 4 and 16 are
 * joined once a block, and the sum of the activations taken off. By sdot, with 256-bit SVE too, or without it smull, smlal2 and sadalp.
 */
#include "micro/families/blocks/blocks_neon.h"

enum { SCALE = 64 }; /* where a block has it */

#define BLOCK_ACTIVATIONS struct q8_256
#define BLOCK_VALUE       q8_256_value
#define BLOCKS_TOGETHER   1
#define ROW_BY_ROW        0

ROWS_INLINE block_floats add_block(block_floats sum, const uint8_t *weights, const struct q8_256 *a)
{
    tile_ints ones = tile_first_int(-a->sum), fours = tile_zero(), sixteens = fours;
    const int8_t *q = a->q;
    ROWS_READ_AGAIN(q);
#pragma GCC unroll 4
    for (size_t byte = 0; byte < SCALE; byte += TILE_BYTES) {
        tile_bytes codes = tile_load(weights + byte);
        const int8_t *columns = q + byte / 32 * 128 + byte % 32;
        ones = tile_dot(ones, tile_signed_of(tile_and(codes, 3)), tile_load_signed(columns));
        fours = tile_dot(fours, tile_signed_of(tile_and(codes, 3 << 2)), tile_load_signed(columns + 32));
        sixteens = tile_dot(sixteens, tile_signed_of(tile_and(codes, 3 << 4)), tile_load_signed(columns + 64));
        ones = tile_dot(ones, tile_signed_of(TILE_SHIFT_DOWN(codes, 6)), tile_load_signed(columns + 96));
    }
    tile_ints whole = TILE_ADD_SHIFTED(TILE_ADD_SHIFTED(ones, fours, 2), sixteens, 4);
    return block_add_whole(sum, whole, weights + SCALE, a->scale);
}

#include "micro/families/blocks/block_rows.h"

static void prepare(const void *activations, size_t k, void *prepared)
{
    q8_256_make(activations, k, prepared);
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = KERNEL_ORIGIN,
    .prefetch_bytes = 1024, /* predicted: no core of aarch64 has been timed */
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = 256,
    .error_bound = Q8_ERROR_BOUND,
    .gemv = gemv,
    .prepared_bytes_per_step = sizeof(BLOCK_ACTIVATIONS),
    .prepare = prepare,
    .row = block_row,
};

#include "micro/frames/gamma.h"
