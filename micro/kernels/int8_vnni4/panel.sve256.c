/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rows put side by side by pairs for usmmla on 256 bits: gemm_planes_aarch64.h.
 */
#include <arm_neon.h>

#include "micro/kernels/int8_vnni4/layout.h"

#define PLANES          1
#define PLANE_REGISTERS 8
#include "micro/kernels/gemm_planes_aarch64.h"

PLANES_INLINE uint8x16_t field(uint8x16_t bytes, int plane)
{
    (void)plane;
    return bytes;
}

extern const struct format SELF_FORMAT;

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = "kneepoint",
    .gamma = "int8_vnni4.dot.sve256",
    .prefetch_bytes = 1024, /* predicted: no core of aarch64 has been timed */
    .lossless = true,
    .gemm = PLANES_GEMM,
};
