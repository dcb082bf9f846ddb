/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A block of 16 rows a step, lanes are rows.
 */
#include "micro/kernels/cb2_16/layout.h"

#define VECTOR_IS_ZMM
#define CODEBOOKS_OF_16
#define BYTE_SHUFFLE
#include "micro/kernels/codebook_lanes_frame.h"
