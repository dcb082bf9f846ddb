/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A block of 16 rows a step, two groups of q2_0_m16: lanes are rows. Activations have a scale for each 64.
 */
#include "micro/kernels/pq2_0_m16/layout.h"

#define VECTOR_IS_ZMM
#include "micro/kernels/fields_lanes_frame.h"
