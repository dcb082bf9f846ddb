/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The sign bits flipped once for all tokens, then sdot, or smull, addp and sadalp with neon: gemm_planes_aarch64.h.
 */
#define PLANES          1
#define PLANE_REGISTERS 8
#define SIGNED_OFFSET   128
#include "micro/families/planes/gemm_planes_aarch64.h"

PLANES_INLINE uint8x16_t field(uint8x16_t bytes, int plane)
{
    (void)plane;
    return veorq_u8(bytes, vdupq_n_u8(0x80));
}

extern const struct format SELF_FORMAT;

const struct kernel SELF = PLANES_GEMM_KERNEL;
