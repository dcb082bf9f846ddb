/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bitnet.cpp's TL1 in its own order, of tiles of 320 rows and blocks of 64 columns, 32 rows at once.
 */
#define TL1_BM           320
#define TL1_BK           64
#define TL1_ROWS_AT_ONCE 32

#include "micro/kernels/tl1_tiles_neon.h"
