/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mask_neon.h with sdot.
 */
#include "micro/kernels/tq2_0/mask_neon.h"
