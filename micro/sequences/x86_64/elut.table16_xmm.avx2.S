/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Element-wise look-up of 16 entries with 128-bit registers, for the register lengths of Fig. 11: vpshufb takes all its
 * entries from 128 bits, the same in each part of the register. An output vector is 32 indices here, of g weights each;
 * an index is a byte, ready to use. Of ternary weights (C = 3) 16 entries hold g = 2 (9 sums), 3 with the sign apart
 * (14); additions a weight are 1 / g. A register of 16 indices takes 2 uops with one to add the entries up, as bytes.
 * Golden Cove: p15 and p015: 2 / 3 an index register of 16: >= 1.33. Zen 3: FP12 and any of four: >= 1.00.
 *
 *   xmm0-8 accumulators, of bytes   xmm9 entries   xmm11 table   xmm12-15 indices
 */
#define ORIGIN           "bitnet-cpp"
#define CLAIMED          0.0
#define BYTES            32.0
#define GROUP_DOTS       4
#define GROUP_UOPS       8
#define LEAST            1
#define MOST             9
#define WEIGHT_BYTES     64
#define ACTIVATION_BYTES 16
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_INT16
#define VECTOR_IS_XMM
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

.macro load_constants
    vmovdqu xmm11, [rsi]
.endm

.macro load_weights base, offset
    vmovdqu xmm12, [\base + \offset]
    vmovdqu xmm13, [\base + \offset + 16]
    vmovdqu xmm14, [\base + \offset + 32]
    vmovdqu xmm15, [\base + \offset + 48]
.endm

.macro dot_into number, source
    vpshufb xmm9, xmm11, \source
    vpaddb xmm\number, xmm\number, xmm9
.endm

.macro group
    .irp indices, xmm12, xmm13, xmm14, xmm15
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
