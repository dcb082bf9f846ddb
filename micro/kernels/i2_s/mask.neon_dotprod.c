/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mask_aarch64.h with sdot.
 */
#include "micro/kernels/i2_s/mask_aarch64.h"
