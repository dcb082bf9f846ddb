/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit weights bit by bit in groups of four, as T-MAC looks them up [bitnet-cpp, 2.3 and Eq. (2), b = 2, g = 4]. 64
 * rows a panel, a step is one line of memory:
 *
 *     step, 64 bytes = 4 columns     byte = row
 *
 *     bit       7 6 5 4         3 2 1 0
 *     column    3 2 1 0         3 2 1 0
 *               upper bits      lower bits     of u = w + 2, w in [-2, 1]
 *
 * The order in memory is ours, both bits of a weight in one byte; the rendering of T-MAC (tmac) has its groups, tables
 * and instructions in this order and not in the tiles of its own program.
 */
#ifndef MICRO_FORMATS_TMAC2_LAYOUT_H
#define MICRO_FORMATS_TMAC2_LAYOUT_H

#define TMAC2_ROWS         64
#define TMAC2_STEP_COLUMNS 4
#define TMAC2_STEP_BYTES   64
#define TMAC2_OFFSET       2

#endif
