/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bitnet.cpp's TL1 in its own order, of tiles of 128 rows and blocks of 64 columns, 64 rows at once.
 */
#define TL1_BM           128
#define TL1_BK           64
#define TL1_ROWS_AT_ONCE 64

#include "micro/kernels/tl1_tiles_neon.h"
