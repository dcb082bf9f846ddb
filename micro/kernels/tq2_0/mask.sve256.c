/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mask_aarch64.h with sdot on 256 bits.
 */
#include "micro/kernels/tq2_0/mask_aarch64.h"

#include "micro/frames/gamma.h"
