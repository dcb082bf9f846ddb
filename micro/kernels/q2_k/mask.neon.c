/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mask_aarch64.h with smull, smlal2 and sadalp.
 */
#include "micro/kernels/q2_k/mask_aarch64.h"

#include "micro/frames/gamma.h"
