/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TL1 in bitnet.cpp's own order, of tiles of 128 rows and blocks of 64 columns, 64 rows at once: micro/families/lookup/tl1_tiles.h draws it.
 */
#define TL1_BM           128
#define TL1_BK           64
#define TL1_ROWS_AT_ONCE 64

#include "micro/families/lookup/tl1_tiles_format.h"

const struct format SELF = TL1_TILES_FORMAT;
