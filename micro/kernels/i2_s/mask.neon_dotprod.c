/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mask_neon.h with sdot.
 */
#include "micro/kernels/i2_s/mask_neon.h"
