/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mask_aarch64.h with smull, smlal2 and sadalp.
 */
#include "micro/kernels/tq2_0/mask_aarch64.h"

#include "micro/frames/gamma.h"
