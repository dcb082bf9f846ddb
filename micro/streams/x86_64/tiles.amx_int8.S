/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Stream of tiles of int8: 64 columns of 16 rows.
 */
#define TILE_OPERATION  tdpbssd
#define TILE_OPERATIONS 32768
#include "micro/streams/tiles_frame.h"
