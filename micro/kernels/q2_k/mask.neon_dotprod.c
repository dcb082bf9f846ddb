/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mask_neon.h with sdot.
 */
#include "micro/kernels/q2_k/mask_neon.h"
