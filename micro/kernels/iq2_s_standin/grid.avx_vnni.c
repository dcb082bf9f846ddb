/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows side by side; vpdpwssd applies the scales of groups and adds: grid_256.h.
 */
#include "micro/kernels/iq2_s_standin/grid_256.h"

const struct kernel SELF = IQ2_S_KERNEL(2048);

#include "micro/frames/gamma.h"
