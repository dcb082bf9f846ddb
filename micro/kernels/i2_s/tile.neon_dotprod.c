/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tile_neon.h with sdot.
 */
#define GAMMA "i2_s.mask.neon_dotprod"
#include "micro/kernels/i2_s/tile_neon.h"
