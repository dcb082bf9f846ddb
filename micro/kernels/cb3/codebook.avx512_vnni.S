/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A block of 16 rows a step, lanes are rows.
 */
#include "micro/kernels/cb3/layout.h"

#define VECTOR_IS_ZMM
#define CODES_OF_3_BITS
#define BYTE_SHUFFLE
#include "micro/kernels/codebook_lanes_frame.h"
