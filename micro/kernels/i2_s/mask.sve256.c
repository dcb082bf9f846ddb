/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mask_aarch64.h with sdot on 256 bits.
 */
#include "micro/kernels/i2_s/mask_aarch64.h"
