/* SPDX-License-Identifier: BSD-3-Clause
 *
 * grid_neon.h with sdot.
 */
#include "micro/kernels/iq2_s_standin/grid_neon.h"

#include "micro/frames/gamma.h"
