/* SPDX-License-Identifier: BSD-3-Clause
 *
 * iq4_nl_8x8: eight rows in chunks of eight bytes [arm-kernels-codebooks, 6.3]: block32_chunks.avx512_vnni.inc. The codebook,
 * offset by 128, is looked up by vpshufb. Per line: shift, 2 ANDs, 2 vpshufb, 2 vpdpbusd; of 8 rows 6 more, as q4_0_8x8.signed has them.
 * Golden Cove at 512 bits: 20 on p05 (6 on p5 only): 10 cycles, 1.25 per output vector. Zen 5, four pipes: >= 0.63.
 * 25 uops issued: 20 of arithmetic, 5 loads.
 *
 *   zmm0-11 accumulators   zmm28 codebook   zmm29 mask 0x0f   the others: block32_chunks.avx512_vnni.inc
 */
#define FORMAT           "iq4_nl_8x8"
#define SEQUENCE         "interleaved"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            18.0
#define GROUP_DOTS       1
#define GROUP_UOPS       25
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
    .section .rodata
    .balign 16
.Lcodebook: .byte 1, 24, 45, 63, 79, 93, 106, 118, 129, 141, 153, 166, 181, 197, 217, 241

#include "micro/sequences/x86_64/block32_chunks.avx512_vnni.inc"

.macro load_constants
    mov eax, 0x0f0f0f0f
    vpbroadcastd zmm29, eax
    vbroadcasti32x4 zmm28, [rip + .Lcodebook]
    vmovdqa32 ymm30, [rip + .Lrows]
.endm

.macro codes weights
    vpandd zmm21, \weights, zmm29
    vpsrlw zmm22, \weights, 4
    vpandd zmm22, zmm22, zmm29
    vpshufb zmm21, zmm28, zmm21
    vpshufb zmm22, zmm28, zmm22
.endm

    sequence_functions
#else
#include "micro/sequences/block32_chunks.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    chunks_refer(data, 8, 16, block32_nonlinear, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    chunks_fill(weights, activations, 8, 128, 2, seed);
}
#endif
