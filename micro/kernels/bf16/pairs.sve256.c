/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pairs_aarch64.h on 256 bits: two bfdot for 32 columns.
 */
#include "micro/kernels/bf16/pairs_aarch64.h"
