/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit of [envelope, III-B, Fig. 1]: 1 shift, 2 ANDs, 4 byte shuffles and 4 dot products. The tables give u = w + 2 for the unsigned operand of vpdpbusd.
 *
 *   AVX-VNNI      11 uops for 128 weights. Golden Cove: p015, shuffles p15, dots p01: >= 0.92; 4 accumulators of latency 5: 1.25
 *   AVX2          each dot product is three instructions: 19. Golden Cove: p015: >= 1.58
 *   AVX512-VNNI   11 for 256 weights. Golden Cove: p05, 4 of them shuffles on p5: >= 0.69
 *
 *   ymm0-7, zmm0-11 accumulators   the others: int2_vnni4.envelope.inc, int2_vnni4.envelope.avx512_vnni.inc
 */
#define CODE_OFFSETS
#include "micro/families/planes/planes_gamma.S"
