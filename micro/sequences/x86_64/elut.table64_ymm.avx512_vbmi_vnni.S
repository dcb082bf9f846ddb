/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Element-wise look-up of 64 entries with 256-bit registers, for the register lengths of Fig. 11: vpermi2b takes one of
 * two registers' bytes and overwrites the index, which is copied (no port). An output vector is 32 indices here, of g
 * weights each; an index is a byte, ready to use. Of ternary weights (C = 3) 64 entries hold g = 3 (27 sums), 4 with
 * the sign apart (41); additions a weight are 1 / g. A register of 32 indices takes 5 uops with one to add the entries up,
 * as bytes.
 * Golden Cove: vpermi2b is 3 uops, two of them on p5: >= 2.00.
 *
 *   ymm0-11 accumulators, of bytes   ymm25 indices, entries   ymm26, ymm27 table   ymm28-31 indices
 */
#define ORIGIN           "bitnet-cpp"
#define CLAIMED          0.0
#define BYTES            32.0
#define GROUP_DOTS       4
#define GROUP_UOPS       20
#define LEAST            1
#define MOST             12
#define WEIGHT_BYTES     128
#define ACTIVATION_BYTES 64
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_INT16
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

.macro load_constants
    vmovdqu64 ymm26, [rsi]
    vmovdqu64 ymm27, [rsi + 32]
.endm

.macro load_weights base, offset
    vmovdqu64 ymm28, [\base + \offset]
    vmovdqu64 ymm29, [\base + \offset + 32]
    vmovdqu64 ymm30, [\base + \offset + 64]
    vmovdqu64 ymm31, [\base + \offset + 96]
.endm

.macro dot_into number, source
    vmovdqa64 ymm25, \source
    vpermi2b ymm25, ymm26, ymm27
    vpaddb ymm\number, ymm\number, ymm25
.endm

.macro group
    .irp indices, ymm28, ymm29, ymm30, ymm31
    dot \indices
    .endr
.endm

    sequence_functions

#else

enum { ENTRIES = 64 };

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    uint8_t *bytes = sum;
    for (uint32_t i = 0; i < VECTOR_BYTES; i++)
        bytes[i] = (uint8_t)(bytes[i] + data->activations[data->weights[VECTOR_BYTES * dot + i]]);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    uint64_t state = seed;
    reference_random_bytes(weights, WEIGHT_BYTES, &state);
    for (uint32_t i = 0; i < WEIGHT_BYTES; i++)
        weights[i] %= ENTRIES;
    reference_random_bytes(activations, ENTRIES, &state);
}

#endif
