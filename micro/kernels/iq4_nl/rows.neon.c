/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rows_neon.h with smull, smlal2 and sadalp.
 */
#include "micro/kernels/iq4_nl/rows_neon.h"
