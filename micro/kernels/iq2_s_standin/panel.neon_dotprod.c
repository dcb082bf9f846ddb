/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Vectors loaded once for all tokens, then sdot: gemm_unpacked_aarch64.h.
 */
#include "micro/kernels/iq2_s_standin/panel_aarch64.h"

const struct kernel SELF = GEMM_UNPACKED_KERNEL("iq2_s_standin.grid.neon_dotprod");
