/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The sign bits flipped once for all tokens, then sdot or smull: gemm_planes_aarch64.h. The including .c defines GAMMA, the sequence of one token.
 */
#include <arm_neon.h>

#include "micro/kernels/int8_vnni4/layout.h"

#define PLANES          1
#define PLANE_REGISTERS 8
#define SIGNED_OFFSET   128
#include "micro/kernels/gemm_planes_aarch64.h"

PLANES_INLINE uint8x16_t field(uint8x16_t bytes, int plane)
{
    (void)plane;
    return veorq_u8(bytes, vdupq_n_u8(0x80));
}

extern const struct format SELF_FORMAT;

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .gamma = GAMMA,
    .prefetch_bytes = 1024, /* predicted: no core of aarch64 has been timed */
    .lossless = true,
    .gemm = PLANES_GEMM,
};
