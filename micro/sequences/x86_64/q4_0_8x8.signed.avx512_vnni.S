/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q4_0_8x8: signed nibbles [arm-kernels-codebooks, 4.1.2] of eight rows in chunks of eight bytes: block32_chunks.avx512_vnni.inc.
 * vpternlogd masks a nibble and turns the bit back that makes it unsigned, as vpdpbusd wants it; the sums, two lanes a row, begin at
 * what that adds. Per line: shift, 2 vpternlogd, 2 vpdpbusd; of 8 rows 6 more: 2 conversions (3 uops), scales in both lanes and times
 * that of the activations, multiply-add. Golden Cove at 512 bits: 16 on p05 (2 on p5 only): 8 cycles, 1.0 per output vector. Zen 5, four
 * pipes: >= 0.5. 23 uops issued: 16 of arithmetic, 5 loads, 2 copies.
 *
 *   zmm0-11 accumulators   zmm28 0x08   zmm29 mask 0x0f   the others: block32_chunks.avx512_vnni.inc
 */
#define FORMAT           "q4_0_8x8"
#define SEQUENCE         "signed"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            18.0
#define GROUP_DOTS       1
#define GROUP_UOPS       23
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             12
#define WEIGHT_BYTES     144
#define ACTIVATION_BYTES 64
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#include "micro/sequences/x86_64/block32_chunks.avx512_vnni.inc"

.macro load_constants
    mov eax, 0x08080808
    vpbroadcastd zmm28, eax
    mov eax, 0x0f0f0f0f
    vpbroadcastd zmm29, eax
    vmovdqa32 ymm30, [rip + .Lrows]
.endm

.macro codes weights
    vmovdqa32 zmm21, \weights
    vpsrlw zmm22, \weights, 4
    vpternlogd zmm21, zmm28, zmm29, 0x28 /* (a ^ b) & c */
    vpternlogd zmm22, zmm28, zmm29, 0x28
.endm

    sequence_functions
#else
#include "micro/sequences/block32_chunks.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    chunks_refer(data, 8, 16, block32_signed, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    chunks_fill(weights, activations, 8, 8, 2, seed);
}
#endif
