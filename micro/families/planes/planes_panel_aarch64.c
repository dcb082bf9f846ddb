/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A panel of fields of one or two bits unpacked once for all tokens, then usmmla, or sdot with neon_dotprod: gemm_planes_aarch64.h.
 */
#include "micro/families/planes/gemm_planes_aarch64.h"

/* Of one bit u = w + 1: 2 or 0. */
#if PLANES == 8
enum { FIELD_AT = 1, FIELD_MASK = 2 };
#else
enum { FIELD_AT = 0, FIELD_MASK = 3 };
#endif

PLANES_INLINE uint8x16_t field(uint8x16_t bytes, int plane)
{
    return vandq_u8(vshlq_u8(bytes, vdupq_n_s8((int8_t)(FIELD_AT - 8 / PLANES * plane))), vdupq_n_u8(FIELD_MASK));
}

extern const struct format SELF_FORMAT;

const struct kernel SELF = PLANES_GEMM_KERNEL;
