/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Stream of tiles of binary16: 32 columns of 16 rows.
 */
#define TILE_OPERATION  tdpfp16ps
#define TILE_OPERATIONS 16384
#include "micro/streams/tiles_frame.h"
