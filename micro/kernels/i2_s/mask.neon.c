/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mask_aarch64.h with smull, smlal2 and sadalp.
 */
#include "micro/kernels/i2_s/mask_aarch64.h"
