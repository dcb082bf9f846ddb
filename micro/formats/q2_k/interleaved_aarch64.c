/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of interleaved rows of Q2_K, with sdot, or smull and smlal, TILE_ROWS rows to a register, whose lanes are rows, four of Neon and eight of SVE: the
 * products of a group's 16 columns are added up before one multiply-accumulate applies their scales, and minima are multiplied with the sums of
 * the groups [arm-kernels-codebooks, 4.1.1, 6.4]. The interleaved_aarch64.h of the format defines
 *
 *   PANEL_D, PANEL_DMIN      bytes of a block at which halves of the rows begin
 *   ROWS_INLINE tile_ints group_products(const uint8_t *block, size_t vector, size_t half, int in, const int8_t *activations)
 *                            sums of products of the codes of group 8 half + in of rows TILE_ROWS vector …
 *   ROWS_INLINE tile_bytes panel_words(const uint8_t *block, size_t row, size_t m)
 *                            scales and minima of rows row …, a word a row: of groups 4 m … 4 m + 3
 */
#if defined __ARM_FEATURE_DOTPROD && !defined __ARM_FEATURE_SVE
#define KERNEL_ORIGIN "arm-kernels-codebooks"
#define SELF_DIFFERS  "with our prefetch; not measured beside its original, as nothing of aarch64 is"
#else
#define SELF_DIFFERS NULL
#endif

#include "micro/of_self.h"
#include OF_FORMAT(interleaved_aarch64.h)

#include "micro/formats/q2_k/products_aarch64.h"

#define BLOCK_VECTORS (BLOCK_ROWS / TILE_ROWS)
#include "micro/families/blocks/blocks_neon.h"

/** Sums of groups as 128 high + low, so that minima are multiplied with them as bytes. */
struct panel_activations {
    struct q8_256 q8;
    int8_t low[16], high[16];
    uint8_t unused[32];
};

#define BLOCK_ACTIVATIONS struct panel_activations
#define BLOCK_VALUE       panel_value
#define BLOCKS_TOGETHER   1
#define ROW_BY_ROW        0
#define BLOCK_STORE(out, panel, sum)                                                                                   \
    do {                                                                                                               \
        for (int vector = 0; vector < BLOCK_VECTORS; vector++)                                                         \
            tile_put_floats((out) + BLOCK_ROWS * (panel) + TILE_ROWS * vector, (sum).of[vector]);                      \
    } while (0)

static inline double panel_value(const struct panel_activations *block, size_t column)
{
    return q8_256_value(&block->q8, column);
}

/** Integer sums of a block. */
struct panel_sums {
    tile_ints codes;
    small_sums low, high;
};

/** Half a block of TILE_ROWS rows. */
ROWS_INLINE struct panel_sums add_half(struct panel_sums sum, const uint8_t *block, size_t vector, size_t half,
                                       const struct panel_activations *a)
{
#pragma GCC unroll 2
    for (size_t m = 0; m < 2; m++) {
        tile_bytes words = panel_words(block, TILE_ROWS * vector, 2 * half + m);
        tile_bytes minima = TILE_SHIFT_DOWN(words, 4);
        sum.low = small_add(sum.low, minima, four_of(a->low + 8 * half + 4 * m));
        sum.high = small_add(sum.high, minima, four_of(a->high + 8 * half + 4 * m));
#pragma GCC unroll 4
        for (int byte = 0; byte < 4; byte++) {
            int in = 4 * (int)m + byte;
            tile_ints products = group_products(block, vector, half, in, a->q8.q + 128 * half + 16 * in);
            sum.codes = tile_multiply_add(sum.codes, products, scales_of(words, byte));
        }
    }
    return sum;
}

/* Loops but for the groups of a half: unrolled, four panels would be more code than a core keeps decoded. Their counts are hidden. */
ROWS_INLINE block_floats add_block(block_floats sum, const uint8_t *weights, const struct panel_activations *a)
{
    size_t vectors = BLOCK_VECTORS, halves = 2;
    __asm__("" : "+r"(vectors), "+r"(halves));
    for (size_t vector = 0; vector < vectors; vector++) {
        struct panel_sums whole = {tile_zero(), small_zero(), small_zero()};
        for (size_t half = 0; half < halves; half++)
            whole = add_half(whole, weights, vector, half, a);
        tile_floats d = tile_times(tile_halves(weights + PANEL_D + 2 * TILE_ROWS * vector), a->q8.scale);
        tile_floats dmin = tile_times(tile_halves(weights + PANEL_DMIN + 2 * TILE_ROWS * vector), -a->q8.scale);
        sum.of[vector] = TILE_ADD(sum.of[vector], whole.codes, 0, d);
        sum.of[vector] = TILE_ADD(sum.of[vector], small_add_high(whole.low, whole.high), 0, dmin);
    }
    return sum;
}

#include "micro/families/blocks/block_rows.h"

#define Q2_K_ACTIVATION(prepared, column)                                                                              \
    panel_value((const struct panel_activations *)(prepared) + (column) / BLOCK_COLUMNS, (column) % BLOCK_COLUMNS)
#include "micro/formats/q2_k/row.h"

static void prepare(const void *activations, size_t k, void *prepared)
{
    struct panel_activations *blocks = prepared;
    for (size_t i = 0; i < k / 256; i++, blocks++) {
        q8_256_make((const float *)activations + 256 * i, 256, &blocks->q8);
        for (size_t group = 0; group < 16; group++) {
            int high = (blocks->q8.sums[group] + 64) >> 7;
            blocks->high[group] = (int8_t)high;
            blocks->low[group] = (int8_t)(blocks->q8.sums[group] - 128 * high);
        }
        memset(blocks->unused, 0, sizeof blocks->unused);
    }
}

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = KERNEL_ORIGIN,
    .differs = SELF_DIFFERS,
    .prefetch_bytes = 1024, /* predicted: no core of aarch64 has been timed */
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = 128,
    .error_bound = Q8_ERROR_BOUND,
    .gemv = gemv,
    .prepared_bytes_per_step = sizeof(BLOCK_ACTIVATIONS),
    .prepare = prepare,
    .row = minima_row,
};

#include "micro/frames/gamma.h"
