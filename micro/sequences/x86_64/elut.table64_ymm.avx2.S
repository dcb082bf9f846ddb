/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Element-wise look-up of 64 entries with 256-bit registers, for the register lengths of Fig. 11, which no instruction
 * has before AVX-512: 4 vpshufb look up 16 at a time, zero where 16 k subtracted from the index turns it negative, and
 * vpxor joins them, since table k > 0 holds what its entries differ by from those of table k - 1. An output vector is
 * 32 indices here, of g weights each; an index is a byte, ready to use. Of ternary weights (C = 3) 64 entries hold g =
 * 3 (27 sums), 4 with the sign apart (41); additions a weight are 1 / g. A register of 32 indices takes 15 uops with one to
 * add the entries up, as bytes.
 * Golden Cove: 4 vpshufb on p15, 7 on p015, 4 loads: 11 / 3 >= 3.67. Zen 3: 11 / 4 >= 2.75.
 *
 *   ymm0-5 accumulators, of bytes   ymm6 index   ymm7-9 entries   ymm10, ymm11 tables loaded   ymm12-15 indices
 */
#define ORIGIN           "bitnet-cpp"
#define CLAIMED          0.0
#define BYTES            32.0
#define GROUP_DOTS       4
#define GROUP_UOPS       60
#define LEAST            1
#define MOST             6
#define WEIGHT_BYTES     128
#define ACTIVATION_BYTES 64
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_INT16
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

    .section .rodata
    .balign 32
.Lminus: .fill 32, 1, 0xf0

.macro load_constants
.endm

.macro load_weights base, offset
    vmovdqu ymm12, [\base + \offset]
    vmovdqu ymm13, [\base + \offset + 32]
    vmovdqu ymm14, [\base + \offset + 64]
    vmovdqu ymm15, [\base + \offset + 96]
.endm

.macro dot_into number, source
    vbroadcasti128 ymm10, [rsi]
    vpshufb ymm9, ymm10, \source
    vpaddb ymm6, \source, [rip + .Lminus]
    vbroadcasti128 ymm11, [rsi + 16]
    vpshufb ymm7, ymm11, ymm6
    vpxor ymm9, ymm9, ymm7
    vpaddb ymm6, ymm6, [rip + .Lminus]
    vbroadcasti128 ymm10, [rsi + 32]
    vpshufb ymm7, ymm10, ymm6
    vpxor ymm9, ymm9, ymm7
    vpaddb ymm6, ymm6, [rip + .Lminus]
    vbroadcasti128 ymm11, [rsi + 48]
    vpshufb ymm7, ymm11, ymm6
    vpxor ymm9, ymm9, ymm7
    vpaddb ymm\number, ymm\number, ymm9
.endm

.macro group
    .irp indices, ymm12, ymm13, ymm14, ymm15
    dot \indices
    .endr
.endm

    sequence_functions

#else

enum { ENTRIES = 64 };

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
