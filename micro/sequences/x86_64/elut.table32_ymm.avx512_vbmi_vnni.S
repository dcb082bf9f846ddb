/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Element-wise look-up of 32 entries with 256-bit registers, for the register lengths of Fig. 11: vpermb takes one of
 * the register's own bytes. An output vector is 32 indices here, of g weights each; an index is a byte, ready to use.
 * Of ternary weights (C = 3) 32 entries hold g = 3 (27 sums); additions a weight are 1 / g. A register of 32 indices takes 2
 * uops with one to add the entries up, as bytes.
 * Golden Cove: p5 and p015: >= 1.00, on p5.
 *
 *   ymm0-11 accumulators, of bytes   ymm26 entries   ymm27 table   ymm28-31 indices
 */
#define ORIGIN           "bitnet-cpp"
#define CLAIMED          0.0
#define BYTES            32.0
#define GROUP_DOTS       4
#define GROUP_UOPS       8
#define LEAST            1
#define MOST             12
#define WEIGHT_BYTES     128
#define ACTIVATION_BYTES 32
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_INT16
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

.macro load_constants
    vmovdqu64 ymm27, [rsi]
.endm

.macro load_weights base, offset
    vmovdqu64 ymm28, [\base + \offset]
    vmovdqu64 ymm29, [\base + \offset + 32]
    vmovdqu64 ymm30, [\base + \offset + 64]
    vmovdqu64 ymm31, [\base + \offset + 96]
.endm

.macro dot_into number, source
    vpermb ymm26, \source, ymm27
    vpaddb ymm\number, ymm\number, ymm26
.endm

.macro group
    .irp indices, ymm28, ymm29, ymm30, ymm31
    dot \indices
    .endr
.endm

    sequence_functions

#else

enum { ENTRIES = 32 };

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
