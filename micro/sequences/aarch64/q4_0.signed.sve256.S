/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 4-bit, signed codes kept in the upper half of a byte, eight rows interleaved by eight bytes [arm-kernels-codebooks, 4.1; its Q4_0_8_8]:
 * 4 x (lsl, and, 2 sdot), and 9 for the sums and their scales. Registers: block32.eights.sve256.inc.
 *
 * Neoverse V1: 25 uops on 2 pipes of 256 bits for 8 output vectors: >= 1.56.
 */
#define FORMAT           "q4_0"
#define SEQUENCE         "signed"
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
#define GROUP_UOPS       25
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             12
#define VECTOR_IS_SVE256
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__
#define EIGHTS_BITS 4

.macro block32_constants
    mov z20.b, #0xf0
.endm

.macro decode from
    lsl z24.b, z\from\().b, #4
    and z25.d, z\from\().d, z20.d
.endm

#include "micro/sequences/aarch64/block32.eights.sve256.inc"

    sequence_functions
#else
#include "micro/sequences/block32_pairs.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    block32_eights_refer(data, 8, block32_signed, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    block32_eights_fill(weights, activations, 8, 16, seed);
}
#endif
