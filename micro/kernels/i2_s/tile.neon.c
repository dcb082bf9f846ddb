/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tile_neon.h with smull, smlal2 and sadalp.
 */
#define GAMMA "i2_s.mask.neon"
#include "micro/kernels/i2_s/tile_neon.h"
