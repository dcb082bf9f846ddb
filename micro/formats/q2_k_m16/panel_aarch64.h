/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where a block of q2_k_m16 has what of four rows.
 */
#include "micro/isa/quads_aarch64.h"

enum { PANEL_D = 0, PANEL_DMIN = 32, GROUP_BYTES = 64, CODES = 320, LINE = 4 * BLOCK_ROWS };

/** Group bytes of rows row … row + 3, a word a row: of groups 4 m … 4 m + 3. */
ROWS_INLINE uint8x16_t group_words(const uint8_t *block, size_t row, size_t m)
{
    return vld1q_u8(block + GROUP_BYTES + LINE * m + 4 * row);
}

/** Codes of bytes 16 `sixteen` … of each row. */
ROWS_INLINE void panel_codes(const uint8_t *block, size_t row, size_t sixteen, uint8x16_t *q)
{
    quad_of_fours(block + CODES + 4 * LINE * sixteen + 4 * row, BLOCK_ROWS, q);
}
