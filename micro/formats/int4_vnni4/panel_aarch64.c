/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A panel of nibbles unpacked once for all tokens, then usmmla, or sdot with neon_dotprod: gemm_planes_aarch64.h.
 */
#define PLANES          2
#define PLANE_REGISTERS 4
#include "micro/families/planes/gemm_planes_aarch64.h"

PLANES_INLINE uint8x16_t field(uint8x16_t bytes, int plane)
{
    return plane ? vshrq_n_u8(bytes, 4) : vandq_u8(bytes, vdupq_n_u8(15));
}

extern const struct format SELF_FORMAT;

const struct kernel SELF = PLANES_GEMM_KERNEL;
