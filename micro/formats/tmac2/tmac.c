/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bit by bit as T-MAC looks them up, by its tables of 8 bits (tmac2_tables.h), on panels of 64 rows: what is found is converted to words and
 * added, each bit by itself. 128 look-ups of 127 fit 16 bits.
 */
#define KERNEL_ORIGIN "bitnet-cpp"
#include "micro/families/lookup/tmac2_tables.h"
#include "micro/formats/tmac2/layout.h"
#include "micro/kernel.h"
#ifdef __aarch64__
#include "micro/formats/tmac2/tmac_neon.h"
#else
#include "micro/formats/tmac2/tmac_avx2.h"
#endif

enum { INTERLEAVE = 1, BLOCK_STEPS = 128 };

static struct kernel_row row_of_tables(const uint8_t *panel, size_t k, uint32_t row, const void *prepared)
{
    const struct quantized_tables *tables = prepared;
    struct kernel_row sum = {0};
    for (size_t i = 0; i < k / TMAC2_STEP_COLUMNS; i++) {
        uint32_t byte = panel[i * TMAC2_STEP_BYTES + row];
        const int8_t *entries = tables->entries + i * QUANTIZED_TABLE_BYTES;
        tmac2_add_found(&sum, entries[byte & 15], entries[byte >> 4]);
    }
    return tmac2_row(tables, sum);
}

static size_t blocks_of(const struct gemv_slice *slice)
{
    return (slice->steps + BLOCK_STEPS - 1) / BLOCK_STEPS;
}

static void add_block(const struct gemv_slice *slice, const uint8_t *panel, size_t block, int32_t *sums)
{
    size_t first = block * BLOCK_STEPS, left = slice->steps - first;
    const uint8_t *tables = (const uint8_t *)slice->prepared + QUANTIZED_HEADER_BYTES + first * QUANTIZED_TABLE_BYTES;
    add_steps(slice, panel + first * TMAC2_STEP_BYTES, tables, left < BLOCK_STEPS ? left : BLOCK_STEPS, sums);
}

static void finish(const struct gemv_slice *slice, const int32_t *sums, size_t panel)
{
    const struct quantized_tables *tables = slice->prepared;
    for (size_t row = 0; row < TMAC2_ROWS; row++)
        slice->out_f32[panel * TMAC2_ROWS + row] = tables->scale / 2 * (float)sums[row] + tables->offset;
}

#include "micro/families/lookup/lookup_panels.h"

extern const struct format SELF_FORMAT;

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = KERNEL_ORIGIN,
    .differs = TMAC_DIFFERS,
    .prefetch_beside = TMAC_PREFETCH_BESIDE,
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = KERNEL_FLOAT_SUMS_ALL,
    .error_bound = TMAC2_ERROR_BOUND,
    .gemv = gemv,
    .prepared_bytes = tmac2_prepared_bytes,
    .prepare = tmac2_prepare,
    .row = row_of_tables,
};

/* its gamma */
#define STEP_COLUMNS       TMAC2_STEP_COLUMNS
#define STEP_BYTES         TMAC2_STEP_BYTES
#define STEPS_TOGETHER     BLOCK_STEPS
#define STEP_OPERAND_BYTES (QUANTIZED_HEADER_BYTES + BLOCK_STEPS * QUANTIZED_TABLE_BYTES)
#define STEP_OFFSET(of)    (((const struct quantized_tables *)(of))->offset)
#include "micro/families/lookup/lookup_gamma.h"
#include "micro/frames/gamma.h"
