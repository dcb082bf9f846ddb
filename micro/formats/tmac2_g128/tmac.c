/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bit by bit as T-MAC looks them up [bitnet-cpp, 2.3], in its tiles, with its scales of groups: a set bit adds the activation and a clear one
 * subtracts it, s = +-1; the 16 sums of four are quantized to int8 with one scale for 64 activations. What is found of 16 quads is widened to
 * words and added, then scaled by the tables' scale and by the weights', and added to floats in memory, each bit by itself.
 *
 *     w / scale = u - 2 = b0 + 2 b1 - 2 = s1 + s0 / 2 - 1/2      y = sum of scale (S1 + (S0 - sum of a) / 2)
 *
 * A look-up is off by half a step, 4 max|a| / 254 at most, a quad by 1.5 times that, and the largest weights are 2 scales: 0.375 / 127.
 */
#define KERNEL_ORIGIN "bitnet-cpp"
#include <math.h>
#include <string.h>

#ifdef __aarch64__
#include "micro/families/lookup/elut_neon.h"
#else
#include "micro/families/lookup/elut_avx2.h"
#endif
#include "micro/formats/tmac2_g128/layout.h"
#include "micro/formats/tmac2_tiles/tmac2_tiles.h"
#include "micro/frames/rows.h"

#ifdef __aarch64__
#define DIFFERS                                                                                                        \
    "scales and sums of 32 bits, where its original's are of 16; not measured beside it, as nothing of aarch64 is"
#else
#define DIFFERS "15% less time than its original from memory; from a cache as long"
#endif

enum { ROWS = TMAC2_TILE_ROWS };

/** Of 64 activations. */
struct tile_operand {
    int8_t tables[TILE_TABLES_BYTES];
    float scale; /* of an entry */
    float minus; /* their sum, negative */
    float unused[14];
};

static void prepare(const void *activations, size_t k, void *prepared)
{
    struct table_coefficients bits;
    table_coefficients_of_bits(-1, &bits);
    struct tile_operand *to = prepared;
    const float *a = activations;
    for (size_t first = 0; first < k; first += TMAC2_TILE_COLUMNS, a += TMAC2_TILE_COLUMNS, to++) {
        float factor = quantized_scale(table_largest(a, TMAC2_TILE_COLUMNS, 4), &to->scale), sum = 0;
        for (size_t column = 0; column < TMAC2_TILE_COLUMNS; column += 4) {
            table_store_quantized((uint8_t *)to->tables + column / 4 * QUANTIZED_TABLE_BYTES, &bits, 4, a + column,
                                  factor);
            sum += (a[column] + a[column + 1]) + (a[column + 2] + a[column + 3]);
        }
        to->minus = -sum;
        memset(to->unused, 0, sizeof to->unused);
    }
}

static struct kernel_row row_of_tables(const uint8_t *panel, size_t k, uint32_t row, const void *prepared)
{
    const struct tile_operand *of = prepared;
    struct kernel_row sum = {0};
    for (uint32_t column = 0; column < k; column += 4) {
        const struct tile_operand *at = of + column / TMAC2_TILE_COLUMNS;
        const uint8_t *tile = panel + tmac2_g128_tile(column);
        double scale = tmac2_g128_scale(panel, k, row, column);
        double lower = tmac2_tile_entry(tile, row, 0, column, at->tables) * (double)at->scale * 0.5;
        double upper = tmac2_tile_entry(tile, row, 1, column, at->tables) * (double)at->scale;
        double minus = column % TMAC2_TILE_COLUMNS ? 0 : (double)at->minus * 0.5;
        sum.y += scale * (lower + upper + minus);
        sum.magnitude += fabs(scale) * (fabs(lower) + fabs(upper) + fabs(minus));
    }
    return sum;
}

/** A tile, added to sums[2 * ROWS]; what lies so far ahead is prefetched, where that is not 0. @return the next one */
LOOKUP const uint8_t *add_tile(const uint8_t *block, const struct tile_operand *a, const float *scales, size_t ahead,
                               float *sums)
{
    const tmac2_tables of = tmac2_tables_of((const uint8_t *)a->tables);
    for (size_t row = 0; row < ROWS; row += TMAC2_BLOCK_ROWS, block += TMAC2_BLOCK_BYTES) {
        if (ahead)
            rows_prefetch(block, TMAC2_BLOCK_BYTES, ahead);
        tmac2_add_scaled(sums + 2 * row, tmac2_block_sums(block, of), a->scale, a->minus, scales + row);
    }
    return block;
}

LOOKUP void finish(const float *sums, float *out)
{
    for (size_t row = 0; row < ROWS; row += 8)
        tmac2_join(sums + 2 * row, out + row);
}

/** One panel. */
static void multiply_panel(const uint8_t *block, size_t k, const struct tile_operand *a, size_t ahead, float *out)
{
    _Alignas(64) float sums[2 * ROWS] = {0};
    const float *scales = (const float *)(const void *)(block + tmac2_g128_scale_at(k, 0, 0));
    for (size_t first = 0; first < k; first += TMAC2_TILE_COLUMNS, a++) {
        block = add_tile(block, a, scales, ahead, sums);
        if (first % TMAC2_G128_COLUMNS)
            scales += ROWS;
    }
    finish(sums, out);
}

static void gemv(const struct gemv_slice *slice)
{
    for (size_t panel = 0; panel < slice->panels; panel++)
        multiply_panel(slice->weights + panel * slice->panel_bytes, slice->k, slice->prepared, slice->prefetch_bytes,
                       slice->out_f32 + panel * ROWS);
}

static size_t prepared_bytes(size_t k)
{
    return k / TMAC2_TILE_COLUMNS * sizeof(struct tile_operand);
}

extern const struct format SELF_FORMAT;

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = KERNEL_ORIGIN,
    .differs = DIFFERS,
    .prefetch_beside = 8192, /* of AVX2; on aarch64 predicted: no core has been timed */
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = TMAC2_TILE_COLUMNS,
    .error_bound = 0.375 / 127 * 1.001,
    .gemv = gemv,
    .prepared_bytes = prepared_bytes,
    .prepare = prepare,
    .row = row_of_tables,
};

/* its gamma: the columns that a scale is of */
enum { GAMMA_TILES = TMAC2_G128_COLUMNS / TMAC2_TILE_COLUMNS };

struct tile_activations {
    struct tile_operand of[GAMMA_TILES];
};

struct tile_sums {
    _Alignas(64) float of[2 * ROWS];
};

#define STEP_SUM         struct tile_sums
#define STEP_ACTIVATIONS struct tile_activations
#define STEP_SUMS_IN_MEMORY
#define STEP_ROWS         ROWS
#define STEP_COLUMNS      TMAC2_G128_COLUMNS
#define STEP_BYTES        (GAMMA_TILES * TMAC2_TILE_BYTES + ROWS * 4)
#define STEP_ACCUMULATORS 1

ROWS_INLINE struct tile_sums step_zero(void)
{
    return (struct tile_sums){{0}};
}

ROWS_INLINE void add_into(struct tile_sums *sums, const uint8_t *weights, const struct tile_activations *activations)
{
    const float *scales = (const float *)(const void *)(weights + GAMMA_TILES * TMAC2_TILE_BYTES);
    for (size_t tile = 0; tile < GAMMA_TILES; tile++)
        weights = add_tile(weights, &activations->of[tile], scales, 0, sums->of);
}

ROWS_INLINE void step_finish(float *rows, const struct tile_sums *sums)
{
    finish(sums->of, rows);
}

#include "micro/frames/gamma.h"
