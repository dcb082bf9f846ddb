/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rows_neon.h with smull, smlal2 and sadalp.
 */
#include "micro/kernels/q4_0/rows_neon.h"
