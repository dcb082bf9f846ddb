/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TL2 in bitnet.cpp's own order, of tiles of 128 rows and blocks of 96 columns: micro/families/lookup/tl2_tiles.h draws it.
 */
#define TL2_BM 128
#define TL2_BK 96

#include "micro/families/lookup/tl2_tiles_format.h"

const struct format SELF = TL2_TILES_FORMAT;
