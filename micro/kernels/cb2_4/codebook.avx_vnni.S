/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A block of 16 rows a step, lanes are rows, 8 of them beside the other 8.
 */
#include "micro/kernels/cb2_4/layout.h"

#include "micro/kernels/codebook_lanes_frame.h"
