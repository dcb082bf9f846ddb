/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A panel of bits unpacked once for all tokens, then usmmla on 256 bits: gemm_planes_aarch64.h.
 */
#include <arm_neon.h>

#include "micro/kernels/int1_planes/layout.h"

#define PLANES          8
#define PLANE_REGISTERS 4
#include "micro/kernels/gemm_planes_aarch64.h"

PLANES_INLINE uint8x16_t field(uint8x16_t bytes, int plane)
{
    return vandq_u8(vshlq_u8(bytes, vdupq_n_s8((int8_t)(1 - plane))), vdupq_n_u8(2)); /* u = w + 1: 2 or 0 */
}

extern const struct format SELF_FORMAT;

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .gamma = "int1_planes.prefix.sve256",
    .prefetch_bytes = 1024, /* predicted: no core of aarch64 has been timed */
    .lossless = true,
    .gemm = PLANES_GEMM,
};
