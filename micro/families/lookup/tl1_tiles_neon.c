/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bitnet.cpp's TL1 in the tile order of its own program, rendered: exact tables of 16 bits whose low and high bytes are looked up apart and
 * zipped, sums of a block of BK columns in 16 bits (64 pairs of 254 at most), those of a tile's rows in memory [bitnet-cpp, 3.2.1]. Nothing
 * is prefetched there. The row of a format says TL1_BM, TL1_BK and TL1_ROWS_AT_ONCE.
 */
#define KERNEL_ORIGIN "bitnet-cpp"
#include "micro/families/lookup/elut_neon.h"
#include "micro/families/lookup/lookup_aarch64.h"
#include "micro/families/lookup/tl1_tiles.h"
#include "micro/frames/finish.h"
#include "micro/kernel.h"

enum {
    TABLE_BYTES = 32,
    STEP_TABLES = TL1_BK / 2 * TABLE_BYTES,
    CHUNK_COLUMNS = 256 / TL1_ROWS_AT_ONCE,
    LINE_TABLES = TL1_LINE_COLUMNS / 2 * TABLE_BYTES,
    WORDS = TL1_ROWS_AT_ONCE / 8
};

static void prepare(const void *activations, size_t k, void *prepared)
{
    const int8_t *a = activations;
    uint8_t *table = prepared;
    struct table_coefficients pairs;
    table_coefficients_make(3, 2, &pairs);
    for (size_t i = 0; i < k; i += 2, table += TABLE_BYTES)
        table_store_bytes(table, table_sums(&pairs, 2, a + i));
}

LOOKUP void add_found(int16x8_t *words, const uint8_t *table, uint8x16_t index)
{
    int8x16_t low = lookup_find(table, index), high = lookup_find(table + 16, index);
    words[0] = vaddq_s16(words[0], vreinterpretq_s16_s8(vzip1q_s8(low, high)));
    words[1] = vaddq_s16(words[1], vreinterpretq_s16_s8(vzip2q_s8(low, high)));
}

/** A line of 16 rows. */
LOOKUP void add_line(int16x8_t *words, const uint8_t *line, const uint8_t *tables)
{
    uint8x16_t nibbles = vld1q_u8(line);
    add_found(words, tables, lookup_upper(nibbles));
    add_found(words, tables + TABLE_BYTES, lookup_lower(nibbles));
}

LOOKUP void widen(int32_t *sums, int16x8_t words)
{
    vst1q_s32(sums, vaddw_s16(vld1q_s32(sums), vget_low_s16(words)));
    vst1q_s32(sums + 4, vaddw_high_s16(vld1q_s32(sums + 4), words));
}

/** BK columns of the rows that the loop has at once. */
LOOKUP void add_rows(const uint8_t *chunk, const uint8_t *tables, int32_t *sums)
{
    int16x8_t words[WORDS];
    for (int i = 0; i < WORDS; i++)
        words[i] = vdupq_n_s16(0);
    for (int column = 0; column < TL1_BK; column += CHUNK_COLUMNS) {
#pragma GCC unroll 4
        for (int sixteen = 0; sixteen < TL1_ROWS_AT_ONCE / TL1_LINE; sixteen++) {
#pragma GCC unroll 2
            for (int line = 0; line < CHUNK_COLUMNS / TL1_LINE_COLUMNS; line++, chunk += TL1_LINE)
                add_line(&words[2 * sixteen], chunk, tables + line * LINE_TABLES);
        }
        tables += CHUNK_COLUMNS / 2 * TABLE_BYTES;
    }
    for (int i = 0; i < WORDS; i++)
        widen(sums + 8 * i, words[i]);
}

/** BK columns of a tile. @return the next ones */
LOOKUP const uint8_t *add_columns(const uint8_t *tile, const uint8_t *tables, int32_t *sums)
{
    for (size_t row = 0; row < TL1_BM; row += TL1_ROWS_AT_ONCE, tile += TL1_ROWS_AT_ONCE * TL1_BK / 4)
        add_rows(tile, tables, sums + row);
    return tile;
}

static void multiply_tile(const struct gemv_slice *slice, const uint8_t *tile, int32_t *out)
{
    int32_t sums[TL1_BM] = {0};
    const uint8_t *tables = slice->prepared;
    for (size_t step = 0; step < slice->steps; step++, tables += STEP_TABLES)
        tile = add_columns(tile, tables, sums);
    finish_rows(sums, TL1_BM, slice->correction, out);
}

static void gemv(const struct gemv_slice *slice)
{
    for (size_t panel = 0; panel < slice->panels; panel++)
        multiply_tile(slice, slice->weights + panel * slice->panel_bytes, slice->out + panel * TL1_BM);
}

extern const struct format SELF_FORMAT;

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = KERNEL_ORIGIN,
    .differs = "tables are loaded for each line; not measured beside its original, as nothing of aarch64 is",
    .whole_panels = true,
    .lossless = true,
    .gemv = gemv,
    .prepared_bytes_per_step = STEP_TABLES,
    .prepare = prepare,
};

/* its gamma: a block of a tile */
struct tile_activations {
    _Alignas(64) uint8_t tables[STEP_TABLES];
    int8_t of[TL1_BK];
};

struct tile_sums {
    _Alignas(64) int32_t rows[TL1_BM];
};

#include "micro/frames/rows.h"

#define STEP_SUM         struct tile_sums
#define STEP_ACTIVATIONS struct tile_activations
#define STEP_SUMS_IN_MEMORY
#define STEP_LARGEST      127
#define STEP_ROWS         TL1_BM
#define STEP_COLUMNS      TL1_BK
#define STEP_BYTES        (TL1_BM * TL1_BK / 4)
#define STEP_ACCUMULATORS 1

ROWS_INLINE struct tile_sums step_zero(void)
{
    return (struct tile_sums){{0}};
}

ROWS_INLINE void add_into(struct tile_sums *sums, const uint8_t *weights, const struct tile_activations *activations)
{
    add_columns(weights, activations->tables, sums->rows);
}

ROWS_INLINE void step_finish(int32_t *rows, const struct tile_sums *sums)
{
    finish_rows(sums->rows, TL1_BM, 0, rows);
}

#include "micro/frames/gamma.h"
