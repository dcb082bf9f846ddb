/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bit by bit as T-MAC looks them up [bitnet-cpp, 2.3 and 3.2.1], in its tiles, as it does for BitNet's models: the 16 sums of four are
 * quantized to int8 with one scale for all, what is found of 16 quads is widened to words and added, and these to 32 bits in memory, each bit
 * by itself. The arithmetic and its error are those of tmac2.tmac.
 */
#define KERNEL_ORIGIN "bitnet-cpp"
#include "micro/families/lookup/tmac2_tables.h"
#include "micro/formats/tmac2_tiles/tmac2_tiles.h"
#include "micro/frames/rows.h"

#ifdef __aarch64__
#define DIFFERS "not measured beside its original, as nothing of aarch64 is"
#else
#define DIFFERS NULL
#endif

enum { ROWS = TMAC2_TILE_ROWS };

static struct kernel_row row_of_tables(const uint8_t *panel, size_t k, uint32_t row, const void *prepared)
{
    const struct quantized_tables *tables = prepared;
    struct kernel_row sum = {0};
    for (uint32_t column = 0; column < k; column += 4) {
        size_t number = column / TMAC2_TILE_COLUMNS;
        const uint8_t *tile = panel + number * TMAC2_TILE_BYTES;
        const int8_t *of = tables->entries + number * TILE_TABLES_BYTES;
        tmac2_add_found(&sum, tmac2_tile_entry(tile, row, 0, column, of), tmac2_tile_entry(tile, row, 1, column, of));
    }
    return tmac2_row(tables, sum);
}

/** A tile, added to sums[2 * ROWS]; what lies so far ahead is prefetched, where that is not 0. @return the next one */
LOOKUP const uint8_t *add_tile(const uint8_t *block, const uint8_t *tables, size_t ahead, int32_t *sums)
{
    const tmac2_tables of = tmac2_tables_of(tables);
    for (size_t row = 0; row < ROWS; row += TMAC2_BLOCK_ROWS, block += TMAC2_BLOCK_BYTES) {
        if (ahead)
            rows_prefetch(block, TMAC2_BLOCK_BYTES, ahead);
        tmac2_widen(sums + 2 * row, tmac2_block_sums(block, of));
    }
    return block;
}

LOOKUP void finish(const int32_t *sums, const struct quantized_tables *prepared, float *out)
{
    for (size_t row = 0; row < ROWS; row++) {
        const int32_t *of = sums + row / 8 * 16 + row % 8;
        out[row] = prepared->scale / 2 * (float)(of[0] + 2 * of[8]) + prepared->offset;
    }
}

static void multiply_panel(const struct gemv_slice *slice, const uint8_t *block, float *out)
{
    _Alignas(64) int32_t sums[2 * ROWS] = {0};
    const struct quantized_tables *prepared = slice->prepared;
    const uint8_t *tables = (const uint8_t *)prepared->entries;
    for (size_t step = 0; step < slice->steps; step++, tables += TILE_TABLES_BYTES)
        block = add_tile(block, tables, slice->prefetch_bytes, sums);
    finish(sums, prepared, out);
}

static void gemv(const struct gemv_slice *slice)
{
    for (size_t panel = 0; panel < slice->panels; panel++)
        multiply_panel(slice, slice->weights + panel * slice->panel_bytes, slice->out_f32 + panel * ROWS);
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
    .float_sums = KERNEL_FLOAT_SUMS_ALL,
    .error_bound = TMAC2_ERROR_BOUND,
    .gemv = gemv,
    .prepared_bytes = tmac2_prepared_bytes,
    .prepare = tmac2_prepare,
    .row = row_of_tables,
};

/* its gamma: a tile */
struct tile_activations {
    _Alignas(64) uint8_t operand[QUANTIZED_HEADER_BYTES + TILE_TABLES_BYTES];
};

struct tile_sums {
    _Alignas(64) int32_t of[2 * ROWS];
    const struct quantized_tables *tables;
    uint32_t tiles; /* of which each has an offset */
};

#define STEP_SUM         struct tile_sums
#define STEP_ACTIVATIONS struct tile_activations
#define STEP_SUMS_IN_MEMORY
#define STEP_ROWS         ROWS
#define STEP_COLUMNS      TMAC2_TILE_COLUMNS
#define STEP_BYTES        TMAC2_TILE_BYTES
#define STEP_ACCUMULATORS 1

ROWS_INLINE struct tile_sums step_zero(void)
{
    return (struct tile_sums){{0}, NULL, 0};
}

ROWS_INLINE void add_into(struct tile_sums *sums, const uint8_t *weights, const struct tile_activations *activations)
{
    add_tile(weights, activations->operand + QUANTIZED_HEADER_BYTES, 0, sums->of);
    sums->tables = (const void *)activations->operand;
    sums->tiles++;
}

ROWS_INLINE void step_finish(float *rows, const struct tile_sums *sums)
{
    finish(sums->of, sums->tables, rows);
    for (size_t row = 0; row < ROWS; row++)
        rows[row] += (float)(sums->tiles - 1) * sums->tables->offset;
}

#include "micro/frames/gamma.h"
