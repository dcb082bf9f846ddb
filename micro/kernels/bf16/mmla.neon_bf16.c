/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mmla_aarch64.h on 128 bits.
 */
#include "micro/kernels/bf16/mmla_aarch64.h"

const struct kernel SELF = BF16_TILE_KERNEL("bf16.pairs.neon_bf16");
