/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of group-wise codebooks on aarch64, four of a panel's sixteen rows to a register, eight with SVE, whose lanes are rows
 * [arm-kernels-codebooks, 5.3]: values as codebook_values_*.h find them; 16 products are added up before the group's scale. One text for
 * neon, neon_dotprod and sve256.
 */
#include "micro/isa/registers_aarch64.h"
#ifdef __ARM_FEATURE_SVE
#include "micro/families/codebooks/codebook_values_sve256.h"
#else
#include "micro/families/codebooks/codebook_values_neon.h"
#endif

#define BLOCK_VECTORS (BLOCK_ROWS / TILE_ROWS)
#include "micro/families/blocks/blocks_neon.h"

#define BLOCK_ACTIVATIONS struct q8_256
#define BLOCK_VALUE       q8_256_value
#define BLOCKS_TOGETHER   1
#define ROW_BY_ROW        0
#define BLOCK_STORE(out, panel, sum)                                                                                   \
    do {                                                                                                               \
        for (int vector = 0; vector < BLOCK_VECTORS; vector++)                                                         \
            tile_put_floats((out) + BLOCK_ROWS * (panel) + TILE_ROWS * vector, (sum).of[vector]);                      \
    } while (0)

/** Group 4 m + byte of TILE_ROWS rows; at: of their part of the line, from that of group 0. */
ROWS_INLINE tile_ints add_group(tile_ints sum, const uint8_t *at, tile_bytes group_bytes, size_t m, int byte,
                                tile_signed activations, value_table table)
{
    tile_bytes found[4];
    find_values(at, group_bytes, m, byte, table, found);
    return tile_multiply_add(sum, tile_dot_fours(tile_zero(), found, activations), scale_of(group_bytes, byte));
}

/* Loops but for the groups of a word: unrolled, four panels would be more code than a core keeps decoded. Their counts are hidden. */
ROWS_INLINE block_floats add_block(block_floats sum, const uint8_t *weights, const struct q8_256 *a)
{
    const value_table table = load_table();
    size_t vectors = BLOCK_VECTORS, words = 4;
    __asm__("" : "+r"(vectors), "+r"(words));
    for (size_t vector = 0; vector < vectors; vector++) {
        const uint8_t *at = weights + TILE_BYTES * vector;
        tile_ints whole = tile_zero();
        for (size_t m = 0; m < words; m++) {
            tile_bytes group_bytes = tile_load(at + GROUP_BYTES + LINE * m);
#pragma GCC unroll 4
            for (int byte = 0; byte < 4; byte++) {
                tile_signed activations = tile_load_sixteen(a->q + 64 * m + 16 * (size_t)byte);
                whole = add_group(whole, at, group_bytes, m, byte, activations, table);
            }
        }
        tile_floats scales = tile_times(tile_halves(weights + 2 * TILE_ROWS * vector), a->scale);
        sum.of[vector] = TILE_ADD(sum.of[vector], whole, 0, scales);
    }
    return sum;
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
