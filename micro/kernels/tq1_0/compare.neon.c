/* SPDX-License-Identifier: BSD-3-Clause
 *
 * compare_neon.h with smull, smlal2 and sadalp.
 */
#include "micro/kernels/tq1_0/compare_neon.h"

#include "micro/frames/gamma.h"
