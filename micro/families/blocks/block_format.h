/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A format of blocks with scales, of rows one by one or interleaved as block_layout.h says: a block of one row is defined once,
 * in the block.h of the format that stores rows, and its interleaved orders hold the same bytes. The including format.c
 * includes before it that block.h, which defines
 *
 *   ROW_BLOCK_COLUMNS, ROW_BLOCK_BYTES    of the block of a row
 *   block_pack(w, block)                  quantizes the columns of one block of a row, every byte of it
 *   block_weight(block, row, column)      the weight that the block of a panel holds; reads by block_byte() alone
 *   block_fill(block, random)             draws a block of a row
 *
 * and says `const struct format SELF = BLOCK_FORMAT(bits);`. An interleaved order is a struct block_order as well.
 */
#ifndef MICRO_FAMILIES_BLOCKS_BLOCK_FORMAT_H
#define MICRO_FAMILIES_BLOCKS_BLOCK_FORMAT_H

#include "micro/block_order.h"
#include "micro/families/blocks/block_layout.h"
#include "micro/kernel.h"

enum { PANEL_BLOCK_BYTES = BLOCK_ROWS * ROW_BLOCK_BYTES };
_Static_assert(BLOCK_BYTES == PANEL_BLOCK_BYTES, "a block of a panel has the bytes of its rows' blocks");
_Static_assert(BLOCK_COLUMNS == ROW_BLOCK_COLUMNS, "and their columns");

static void put_block(const uint8_t *block, uint32_t row, uint8_t *panel)
{
    for (size_t i = 0; i < ROW_BLOCK_BYTES; i++)
        block_put_byte(panel, row, i, block[i]);
}

static void pack(const float *w, size_t k, uint8_t *panel)
{
    uint8_t block[ROW_BLOCK_BYTES];
    for (uint32_t row = 0; row < BLOCK_ROWS; row++) {
        for (size_t i = 0; i < k / ROW_BLOCK_COLUMNS; i++) {
            block_pack(w + row * k + i * ROW_BLOCK_COLUMNS, block);
            put_block(block, row, panel + i * PANEL_BLOCK_BYTES);
        }
    }
}

static double weight(const uint8_t *panel, size_t k, uint32_t row, uint32_t column)
{
    (void)k;
    const uint8_t *block = panel + (size_t)(column / ROW_BLOCK_COLUMNS) * PANEL_BLOCK_BYTES;
    return block_weight(block, row, column % ROW_BLOCK_COLUMNS);
}

static void fill(uint8_t *panel, size_t k, uint64_t *random)
{
    uint8_t block[ROW_BLOCK_BYTES];
    for (size_t i = 0; i < k / ROW_BLOCK_COLUMNS; i++) {
        for (uint32_t row = 0; row < BLOCK_ROWS; row++) {
            block_fill(block, random);
            put_block(block, row, panel + i * PANEL_BLOCK_BYTES);
        }
    }
}

#ifdef BLOCK_PARTS
/** Whole chunks at once, which registers hold; a call with constants is a load, a turn and a store of each. */
static inline __attribute__((always_inline)) void put_part(const struct block_part *part, const uint8_t *row,
                                                           uint8_t *panel)
{
    const uint64_t turned = part->turned * UINT64_C(0x0101010101010101);
    for (size_t at = 0; at < part->bytes; at += part->chunk) {
        uint64_t chunk = 0;
        memcpy(&chunk, row + at, part->chunk);
        chunk ^= turned;
        memcpy(panel + at * BLOCK_ROWS, &chunk, part->chunk);
    }
}

static void interleave(const uint8_t *rows, size_t row_bytes, size_t blocks, uint8_t *panel)
{
    for (size_t i = 0; i < blocks; i++) {
        for (uint32_t row = 0; row < BLOCK_ROWS; row++) {
            const uint8_t *block = rows + row * row_bytes + i * ROW_BLOCK_BYTES;
            uint8_t *place = panel + i * PANEL_BLOCK_BYTES;
#pragma GCC unroll 8
            for (size_t p = 0; p < BLOCK_PART_COUNT; p++) {
                put_part(&block_parts[p], block + block_parts[p].from, place + row * block_parts[p].chunk);
                place += block_parts[p].bytes * BLOCK_ROWS;
            }
        }
    }
}

extern const struct format SELF;
const struct block_order BLOCK_ORDER(SELF) = {.format = &SELF, .interleave = interleave};
#endif

#define BLOCK_FORMAT(of_a_weight)                                                                                      \
    {                                                                                                                  \
        .name = SELF_NAME, .bits = (of_a_weight), .rows_per_panel = BLOCK_ROWS, .k_per_step = ROW_BLOCK_COLUMNS,       \
        .step_bytes = PANEL_BLOCK_BYTES, .k_multiple = ROW_BLOCK_COLUMNS, .max_k = 1 << 24, .pack = pack,              \
        .weight = weight, .fill = fill                                                                                 \
    }

#endif
