/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Requantized: micro/families/amx/amx_requantized.h. Blocks of 16 rows are interleaved first, 35 to 40 uops beside the 160 that requantizing
 * takes, once for all tokens. A scale for every 32 columns on top of that (as tile of q4_0_m16 has it) is not built: rows
 * that are interleaved once, as q4_0_m16, serve it better.
 */
#define PANEL_ROWS 1
#include "micro/families/amx/amx_requantized_blocks.h"
#include "micro/formats/q4_0/amx_values.h"
#include "micro/isa/gemm_interleave_avx512.h"

enum { ROW_BLOCK_BYTES = 18, ROW_CODES = 2 };

static inline __attribute__((always_inline)) void interleave(const uint8_t *rows, size_t stride, size_t count,
                                                             uint8_t *to)
{
    __m512i lines[4];
    gemm_gather_halves(rows, stride, count, to);
    gemm_transpose(rows + ROW_CODES, stride, count, lines);
    for (size_t line = 0; line < 4; line++)
        _mm512_storeu_si512(to + BLOCK_CODES + 64 * line, lines[line]);
}

static const uint8_t *blocks_at(const struct gemm_slice *slice, size_t group, size_t block, uint8_t *to)
{
    const size_t stride = slice->panel_bytes, count = rows_there(slice, group);
    const uint8_t *rows = slice->weights + group * BLOCK_ROWS * stride + block * ROW_BLOCK_BYTES;
    for (size_t row = 0; slice->prefetch_bytes && block % 4 == 0 && row < BLOCK_ROWS; row++) /* 72 bytes of each */
        _mm_prefetch((const char *)((uintptr_t)rows + row * stride + slice->prefetch_bytes), _MM_HINT_T0);
    if (count == BLOCK_ROWS)
        interleave(rows, stride, BLOCK_ROWS, to);
    else
        interleave(rows, stride, count, to);
    return to;
}

static float scale_of(const uint8_t *panel, uint32_t row, size_t column)
{
    uint16_t scale;
    (void)row;
    memcpy(&scale, panel + column / BLOCK_COLUMNS * ROW_BLOCK_BYTES, sizeof scale);
    return half_to_float(scale);
}

static int32_t code_value(const uint8_t *panel, uint32_t row, size_t column)
{
    const uint8_t *codes = panel + column / BLOCK_COLUMNS * ROW_BLOCK_BYTES + ROW_CODES;
    (void)row;
    return (codes[column % 16] >> column % BLOCK_COLUMNS / 16 * 4 & 15) - 8;
}

extern const struct format SELF_FORMAT;

const struct kernel SELF = AMX_REQUANTIZED_KERNEL(1024);
