/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TL1 [bitnet-cpp, 3.1]: two ternary weights in a 4-bit index. 64 rows a panel, a step is one line of memory:
 *
 *     step, 64 bytes = 4 columns     byte = row, columns 2, 3 | columns 0, 1  (upper | lower nibble)
 *
 *     index 3 (w0 + 1) + w1 + 1 (table 5); 9 … 15 are unused
 *
 * The order in memory is ours, chosen so that a step is read whole; the renderings of the paper (bitnet_tl1_0,
 * bitnet_tl1_1) have its codes, tables and instructions in this order and not in the tiles of its own program,
 * which tl1_160x64x32 and its kin have.
 */
#ifndef MICRO_FORMATS_TL1_LAYOUT_H
#define MICRO_FORMATS_TL1_LAYOUT_H

#define TL1_ROWS         64
#define TL1_STEP_COLUMNS 4
#define TL1_STEP_BYTES   64
#define TL1_STEP_PAIRS   2

#endif
