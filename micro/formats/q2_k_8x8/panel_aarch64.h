/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where a block of q2_k_8x8 has what of four rows.
 */
#include "micro/isa/quads_aarch64.h"

enum { PANEL_D = 0, PANEL_DMIN = 16, GROUP_BYTES = 32, CODES = 160, LINE = 8 * BLOCK_ROWS };

/**
 * Group bytes of rows row … row + 3, a word a row: of groups 4 m … 4 m + 3. Two groups of a row are neighbours; zipped with the next two
 * they are a word.
 */
ROWS_INLINE uint8x16_t group_words(const uint8_t *block, size_t row, size_t m)
{
    const uint8_t *pairs = block + GROUP_BYTES + 32 * m + 2 * row;
    uint16x4_t first = vreinterpret_u16_u8(vld1_u8(pairs)), second = vreinterpret_u16_u8(vld1_u8(pairs + 16));
    return vreinterpretq_u8_u16(vcombine_u16(vzip1_u16(first, second), vzip2_u16(first, second)));
}

/** Codes of bytes 16 `sixteen` … of each row. */
ROWS_INLINE void panel_codes(const uint8_t *block, size_t row, size_t sixteen, uint8x16_t *q)
{
    quad_of_eights(block + CODES + 2 * LINE * sixteen + 8 * row, BLOCK_ROWS, q);
}
