/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Element-wise look-up of 16 entries with 512-bit registers, for the register lengths of Fig. 11: vpshufb takes all its
 * entries from 128 bits, the same in each part of the register. An output vector is 32 indices here, of g weights each;
 * an index is a byte, ready to use. Of ternary weights (C = 3) 16 entries hold g = 2 (9 sums), 3 with the sign apart
 * (14); additions a weight are 1 / g. A register of 64 indices takes 2 uops with one to add the entries up, as bytes.
 * Golden Cove at 512 bits: p5 and p05: 1 for two vectors: >= 0.50.
 *
 *   zmm0-11 accumulators, of bytes   zmm26 entries   zmm27 table   zmm28-31 indices
 */
#define ORIGIN           "bitnet-cpp"
#define CLAIMED          0.0
#define BYTES            32.0
#define GROUP_DOTS       4
#define GROUP_UOPS       8
#define LEAST            1
#define MOST             12
#define WEIGHT_BYTES     256
#define ACTIVATION_BYTES 16
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_INT16
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

.macro load_constants
    vbroadcasti32x4 zmm27, [rsi]
.endm

.macro load_weights base, offset
    vmovdqu64 zmm28, [\base + \offset]
    vmovdqu64 zmm29, [\base + \offset + 64]
    vmovdqu64 zmm30, [\base + \offset + 128]
    vmovdqu64 zmm31, [\base + \offset + 192]
.endm

.macro dot_into number, source
    vpshufb zmm26, zmm27, \source
    vpaddb zmm\number, zmm\number, zmm26
.endm

.macro group
    .irp indices, zmm28, zmm29, zmm30, zmm31
    dot \indices
    .endr
.endm

    sequence_functions

#else

enum { ENTRIES = 16 };

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
