/* SPDX-License-Identifier: BSD-3-Clause
 *
 * q5_k, a block of one row, in the order in which it is stored: k_quant_rows.256.inc. 16-bit products times the scale of their group, spread over words, as llama.cpp multiplies.
 * The minima meet the sums of the activations; a block ends in two multiply-adds. The lanes are parts of one row.
 * Golden Cove: 94 on three ports, 3.92 per output vector. 95 uops issued: 94 of arithmetic, 1 zeros.
 *
 *   ymm0-3 accumulators   the others: the .inc
 */
#define FORMAT           "q5_k"
#define SEQUENCE         "reference"
#define ORIGIN           "llama.cpp"
#define CLAIMED          0.0
#define BYTES            22.0
#define GROUP_DOTS       2
#define GROUP_UOPS       95
#define GROUP_VECTORS    8
#define LEAST            1
#define MOST             4
#define WEIGHT_BYTES     176
#define ACTIVATION_BYTES 288
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        3.1e-5
#include "micro/sequences/sequence_frame.h"

#include "micro/kernels/q5_k/layout.h"

#ifdef __ASSEMBLER__
#define SUMS_OF_WORDS
#include "micro/sequences/x86_64/k_quant_rows.256.inc"

    sequence_functions
#else
#include "micro/sequences/k_quant_rows.h"

/* of codes: four weights of each 32 */
static uint32_t lane_of(uint32_t column)
{
    return column % 32 / 4;
}

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitudes)
{
    k_quant_refer_row(data, dot, lane_of, sum, magnitudes);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    k_quant_fill_row(weights, BLOCK_BYTES, activations, seed);
}
#endif
