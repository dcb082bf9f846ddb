/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Activations of four steps of 64 columns, for sequences and kernels of mixed24_rows that multiply four pieces of a row at once: int8 in
 * the order in which fields of two bits come out of the pieces, then sums and scales. Byte 64 p + 16 n + 4 g + b (p, n, g, b < 4) is, of
 * step n, column
 *
 *     16 g + 4 b + p               g < 3
 *     48 + 2 b, 49 + 2 b           g = 3, p = 0, 2: the 4-bit codes of the piece
 *     56 + 2 b, 57 + 2 b           g = 3, p = 1, 3: those of the half beside it
 *
 *   MIXED24_PIECES_SUMS    float 4 n + g: the sum of the 16 of group g
 *   MIXED24_PIECES_SCALE   float 4 n + g: of the step, the same four times
 */
#define MIXED24_PIECES_SUMS  256
#define MIXED24_PIECES_SCALE 320
#define MIXED24_PIECES_BYTES 384

#ifndef __ASSEMBLER__
#include <stdint.h>

/** Where column 0 … 63 of step 0 … 3 is. */
static inline uint32_t mixed24_pieces_at(uint32_t step, uint32_t column)
{
    uint32_t group = column / 16, c = column % 16;
    uint32_t p = group < 3 ? c % 4 : c % 2 * 2 + c / 8, b = group < 3 ? c / 4 : c % 8 / 2;
    return 64 * p + 16 * step + 4 * group + b;
}
#endif
