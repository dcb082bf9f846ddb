/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 4-bit indices into a codebook of 16 bytes, eight of sixteen rows interleaved by four bytes [arm-kernels-codebooks, 6.3]: both halves of a
 * register hold the codebook. 4 x (and, lsr, 2 tbl, 2 sdot), and 5 for the sums and their scales. Registers: block32.fours.sve256.inc.
 *
 * Neoverse V1: 29 uops on 2 pipes of 256 bits for 8 output vectors: >= 1.81.
 */
#define FORMAT           "iq4_nl_m16"
#define SEQUENCE         "interleaved"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            18.0
#define WEIGHT_BYTES     144
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_BYTES 40
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-5
#define GROUP_DOTS       1
#define GROUP_UOPS       29
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             12
#define VECTOR_IS_SVE256
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
    .text /* beside the code: a copy of the program at another place of a page finds it there, too */
    .balign 16
.Lcodebook: .byte -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113

.macro block32_constants
    mov z20.b, #0x0f
    adr x9, .Lcodebook
    ld1rqb {z31.b}, p0/z, [x9]
.endm

.macro start
    mov z30.s, #0
.endm

.macro decode from
    and z24.d, z\from\().d, z20.d
    lsr z25.b, z\from\().b, #4
    tbl z24.b, {z31.b}, z24.b
    tbl z25.b, {z31.b}, z25.b
.endm

#include "micro/sequences/aarch64/block32.fours.sve256.inc"

    sequence_functions
#else
#include "micro/sequences/block32.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    block32_refer(data, BLOCK32_INTERLEAVED, 8, dot, block32_nonlinear, sum, magnitude);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block32_fill(weights, activations, BLOCK32_INTERLEAVED, 8, seed);
}
#endif
