/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Element-wise look-up of 32 entries with 128-bit registers, for the register lengths of Fig. 11: vpermi2b takes one of
 * two registers' bytes and overwrites the index, which is copied (no port). An output vector is 32 indices here, of g
 * weights each; an index is a byte, ready to use. Of ternary weights (C = 3) 32 entries hold g = 3 (27 sums); additions
 * a weight are 1 / g. A register of 16 indices takes 5 uops with one to add the entries up, as bytes.
 * Golden Cove: vpermi2b is 3 uops, two of them on p5: >= 4.00.
 *
 *   xmm0-11 accumulators, of bytes   xmm25 indices, entries   xmm26, xmm27 table   xmm28-31 indices
 */
#define ORIGIN           "bitnet-cpp"
#define CLAIMED          0.0
#define BYTES            32.0
#define GROUP_DOTS       4
#define GROUP_UOPS       20
#define LEAST            1
#define MOST             12
#define WEIGHT_BYTES     64
#define ACTIVATION_BYTES 32
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_INT16
#define VECTOR_IS_XMM
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

.macro load_constants
    vmovdqu64 xmm26, [rsi]
    vmovdqu64 xmm27, [rsi + 16]
.endm

.macro load_weights base, offset
    vmovdqu64 xmm28, [\base + \offset]
    vmovdqu64 xmm29, [\base + \offset + 16]
    vmovdqu64 xmm30, [\base + \offset + 32]
    vmovdqu64 xmm31, [\base + \offset + 48]
.endm

.macro dot_into number, source
    vmovdqa64 xmm25, \source
    vpermi2b xmm25, xmm26, xmm27
    vpaddb xmm\number, xmm\number, xmm25
.endm

.macro group
    .irp indices, xmm28, xmm29, xmm30, xmm31
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
