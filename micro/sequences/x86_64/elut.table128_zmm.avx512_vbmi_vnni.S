/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Element-wise look-up of 128 entries with 512-bit registers, for the register lengths of Fig. 11: vpermi2b takes one
 * of two registers' bytes and overwrites the index, which is copied (no port). An output vector is 32 indices here, of
 * g weights each; an index is a byte, ready to use. Of ternary weights (C = 3) 128 entries hold g = 4 (81 sums), 5 with
 * the sign apart (122); additions a weight are 1 / g. A register of 64 indices takes 5 uops with one to add the entries up,
 * as bytes.
 * Golden Cove: vpermi2b is 3 uops, two of them on p5: >= 1.00.
 *
 *   zmm0-11 accumulators, of bytes   zmm25 indices, entries   zmm26, zmm27 table   zmm28-31 indices
 */
#define ORIGIN           "bitnet-cpp"
#define CLAIMED          0.0
#define BYTES            32.0
#define GROUP_DOTS       4
#define GROUP_UOPS       20
#define LEAST            1
#define MOST             12
#define WEIGHT_BYTES     256
#define ACTIVATION_BYTES 128
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_INT16
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

.macro load_constants
    vmovdqu64 zmm26, [rsi]
    vmovdqu64 zmm27, [rsi + 64]
.endm

.macro load_weights base, offset
    vmovdqu64 zmm28, [\base + \offset]
    vmovdqu64 zmm29, [\base + \offset + 64]
    vmovdqu64 zmm30, [\base + \offset + 128]
    vmovdqu64 zmm31, [\base + \offset + 192]
.endm

.macro dot_into number, source
    vmovdqa64 zmm25, \source
    vpermi2b zmm25, zmm26, zmm27
    vpaddb zmm\number, zmm\number, zmm25
.endm

.macro group
    .irp indices, zmm28, zmm29, zmm30, zmm31
    dot \indices
    .endr
.endm

    sequence_functions

#else

enum { ENTRIES = 128 };

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
