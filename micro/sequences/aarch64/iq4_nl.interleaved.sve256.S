/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 4-bit indices into a codebook of 16 bytes, eight rows interleaved by eight bytes [arm-kernels-codebooks, 6.3]: tbl looks up 32 codes in
 * a register that holds the codebook. 4 x (and, lsr, 2 tbl, 2 sdot), and 9 for the sums and their scales. Registers:
 * block32.eights.sve256.inc.
 *
 * Neoverse V1: 33 uops on 2 pipes of 256 bits for 8 output vectors: >= 2.06.
 */
#define FORMAT           "iq4_nl"
#define SEQUENCE         "interleaved"
#define ORIGIN           "arm-kernels-codebooks"
#define CLAIMED          0.0
#define BYTES            18.0
#define WEIGHT_BYTES     144
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_BYTES 40
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-5
#define GROUP_DOTS       1
#define GROUP_UOPS       33
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             12
#define VECTOR_IS_SVE256
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#define EIGHTS_BITS 0

    .text /* beside the code: a copy of the program at another place of a page finds it there, too */
    .balign 16
.Lcodebook: .byte -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113

.macro block32_constants
    mov z20.b, #0x0f
    adr x9, .Lcodebook
    ld1rqb {z23.b}, p0/z, [x9]
.endm

.macro decode from
    and z24.d, z\from\().d, z20.d
    lsr z25.b, z\from\().b, #4
    tbl z24.b, {z23.b}, z24.b
    tbl z25.b, {z23.b}, z25.b
.endm

#include "micro/sequences/aarch64/block32.eights.sve256.inc"

    sequence_functions
#else
#include "micro/sequences/block32_pairs.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    block32_eights_refer(data, 8, block32_nonlinear, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block32_eights_fill(weights, activations, 8, 16, seed);
}
#endif
