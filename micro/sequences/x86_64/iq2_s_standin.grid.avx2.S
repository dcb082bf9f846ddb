/* SPDX-License-Identifier: BSD-3-Clause
 *
 * iq2_s_standin, a block of a row, whose grid is a stand-in for that of IQ2_S (micro/kernels/iq2_s_standin/grid.inc): the numbers of 16
 * vectors are put together in a register as 16-bit words and the vectors loaded one by one from a table of 8 KB in the first-level cache, the
 * activations take the signs. The lanes are parts of one row.
 * Of 32 weights 3 instructions make the numbers and take them out, 7 of integer registers separate them, 5 look up, 5 make signs and 4
 * multiply and scale. Zen 5 takes 5.2 cycles per output vector; with numbers of 32 bits, made four at a time, 6.9, with gathers 8.2.
 *
 *   ymm0, ymm1 accumulators   ymm2 a bit of each byte   ymm3 sums   ymm4 scales   ymm5 numbers, products   ymm6 magnitudes
 *   ymm7 magnitudes, signs, scales   ymm8 activations   xmm9, xmm10 lower, upper half of the indices   ymm11, ymm12 signs, so, in both halves   ymm13 upper bits and scales, so   xmm14 d
 *   ymm15 numbers   rax grid   rcx, rdx numbers
 */
#define FORMAT           "iq2_s_standin"
#define SEQUENCE         "grid"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            10.25
#define GROUP_DOTS       1
#define GROUP_UOPS       199
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             2
#define WEIGHT_BYTES     82
#define ACTIVATION_BYTES 320
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#define SCALE 256

#ifdef __ASSEMBLER__
#include "micro/sequences/x86_64/iq2_s_standin.grid.256.inc"

.macro add_scaled sum, words, scales
    vpmaddwd ymm\words, ymm\words, ymm\scales
    vpaddd ymm\sum, ymm\sum, ymm\words
.endm

    sequence_functions
#else
#include "micro/sequences/iq2_s_standin.h"

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    (void)dot;
    iq2_s_refer(data, 8, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    iq2_s_fill(weights, activations, seed);
}
#endif
