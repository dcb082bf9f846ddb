/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pairs_aarch64.h on 128 bits: four bfdot for 32 columns.
 */
#include "micro/kernels/bf16/pairs_aarch64.h"
