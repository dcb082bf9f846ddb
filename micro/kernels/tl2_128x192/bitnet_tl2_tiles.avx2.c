/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bitnet.cpp's TL2 in its own order, of tiles of 128 rows and blocks of 192 columns.
 */
#define TL2_BM      128
#define TL2_BK      192
#define TL2_DIFFERS NULL

#include "micro/kernels/tl2_tiles_avx2.h"
