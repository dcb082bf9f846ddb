/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Element-wise look-up of 32 entries with 256-bit registers, for the register lengths of Fig. 11, which no instruction
 * has before AVX-512: 2 vpshufb look up 16 at a time, zero where 16 k subtracted from the index turns it negative, and
 * vpxor joins them, since table k > 0 holds what its entries differ by from those of table k - 1. An output vector is
 * 32 indices here, of g weights each; an index is a byte, ready to use. Of ternary weights (C = 3) 32 entries hold g =
 * 3 (27 sums); additions a weight are 1 / g. A register of 32 indices takes 5 uops with one to add the entries up, as bytes.
 * Golden Cove: 2 vpshufb on p15, 3 on p015: 5 / 3 >= 1.67. Zen 3: 5 / 4 >= 1.25.
 *
 *   ymm0-6 accumulators, of bytes   ymm8, ymm9 entries, and indices less 16   ymm10, ymm11 table   ymm12-15 indices
 */
#define ORIGIN           "bitnet-cpp"
#define CLAIMED          0.0
#define BYTES            32.0
#define GROUP_DOTS       4
#define GROUP_UOPS       20
#define LEAST            1
#define MOST             7
#define WEIGHT_BYTES     128
#define ACTIVATION_BYTES 32
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_INT16
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

    .section .rodata
    .balign 32
.Lminus: .fill 32, 1, 0xf0

.macro load_constants
    vbroadcasti128 ymm10, [rsi]
    vbroadcasti128 ymm11, [rsi + 16]
.endm

.macro load_weights base, offset
    vmovdqu ymm12, [\base + \offset]
    vmovdqu ymm13, [\base + \offset + 32]
    vmovdqu ymm14, [\base + \offset + 64]
    vmovdqu ymm15, [\base + \offset + 96]
.endm

.macro dot_into number, source
    vpaddb ymm8, \source, [rip + .Lminus]
    vpshufb ymm9, ymm10, \source
    vpshufb ymm8, ymm11, ymm8
    vpxor ymm9, ymm9, ymm8
    vpaddb ymm\number, ymm\number, ymm9
.endm

.macro group
    .irp indices, ymm12, ymm13, ymm14, ymm15
    dot \indices
    .endr
.endm

    sequence_functions

#else

enum { ENTRIES = 32 };

/* the tables as the look-ups want them: each sixteen entries but the first are differences from those before */
static uint8_t entry_at(const uint8_t *tables, uint32_t index)
{
    uint8_t entry = tables[index % 16];
    for (uint32_t k = 1; k <= index / 16; k++)
        entry ^= tables[16 * k + index % 16];
    return entry;
}

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    uint8_t *bytes = sum;
    for (uint32_t i = 0; i < VECTOR_BYTES; i++)
        bytes[i] = (uint8_t)(bytes[i] + entry_at(data->activations, data->weights[VECTOR_BYTES * dot + i]));
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
