/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TL1 in bitnet.cpp's own order, of tiles of 256 rows and blocks of 128 columns, 32 rows at once: micro/families/lookup/tl1_tiles.h draws it.
 */
#define TL1_BM           256
#define TL1_BK           128
#define TL1_ROWS_AT_ONCE 32

#include "micro/families/lookup/tl1_tiles_format.h"

const struct format SELF = TL1_TILES_FORMAT;
