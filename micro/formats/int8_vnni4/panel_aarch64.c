/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rows put side by side by pairs for usmmla: gemm_planes_aarch64.h.
 */
#define PLANES          1
#define PLANE_REGISTERS 8
#include "micro/families/planes/gemm_planes_aarch64.h"

PLANES_INLINE uint8x16_t field(uint8x16_t bytes, int plane)
{
    (void)plane;
    return bytes;
}

extern const struct format SELF_FORMAT;

const struct kernel SELF = PLANES_GEMM_KERNEL;
