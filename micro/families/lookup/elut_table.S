/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Element-wise look-up of ENTRIES entries, for the register lengths of Fig. 11. An output vector is 32 indices here, of g weights each; an index is a
 * byte, ready to use. Of ternary weights (C = 3) 16 entries hold g = 2 (9 sums), 3 with the sign apart (14); 32 g = 3 (27); 64 g = 3, 4 with the sign
 * apart (41); 128 g = 4 (81), 5 with the sign apart (122); additions a weight are 1 / g. A register of indices takes, with an addition of bytes:
 *
 *     16 entries       vpshufb takes all of them from 128 bits, the same in each part of the register: 2 uops. Golden Cove: p15 and p015, of 128 bits
 *                      >= 1.33 per output vector, of 256 0.67, of 512, p5 and p05, 0.50. Zen 3: FP12 and any of four: 1.00, 0.50.
 *     a register's     vpermb takes one of the register's own bytes: 2 uops. Golden Cove: p5 and p015, >= 1.00 of 256 bits; of 512, p5 and p05, 0.50.
 *     two registers'   vpermi2b takes one of two registers' bytes and overwrites the index, which is copied (no port): 5 uops, 3 of them vpermi2b, two of
 *                      these on p5: >= 4.00 of 128 bits, 2.00 of 256, 1.00 of 512.
 *     more, on AVX2    no instruction has that: n = ENTRIES / 16 vpshufb look up 16 at a time, zero where 16 k subtracted from the index turns it
 *                      negative, and vpxor joins them, since table k > 0 holds what its entries differ by from those of table k - 1. Two tables fit
 *                      registers: 5 uops, 2 on p15, 3 on p015, >= 1.67; Zen 3 1.25. More are loaded: 4 n - 1, of which n vpshufb, n loads: of 64
 *                      >= 3.67, of 128 7.67; Zen 3 2.75, 5.75.
 *
 *   AVX2      ymm0-8 accumulators, of bytes   ymm9 entries   ymm11 table   ymm12-15 indices   of 32 entries ymm8 indices less 16   ymm10, ymm11 tables
 *             of more ymm6 index   ymm7-9 entries   ymm10, ymm11 tables loaded
 *   AVX-512   zmm0-11 accumulators, of bytes   zmm26 entries   zmm27 table   zmm28-31 indices   of vpermi2b zmm25 indices, entries   zmm26, zmm27 table
 */
#define ORIGIN     "bitnet-cpp"
#define CLAIMED    0.0
#define BYTES      32.0
#define GROUP_DOTS 4
#define LEAST      1
#if defined VECTOR_IS_ZMM
#define REGISTER_BYTES 64
#elif defined VECTOR_IS_XMM
#define REGISTER_BYTES 16
#else
#define REGISTER_BYTES 32
#endif
#ifdef AVX512
#define TABLES (ENTRIES / REGISTER_BYTES) /* that the index is looked up in; 0: 16 entries */
#define MOST   12
#elif ENTRIES == 16
#define MOST       9
#elif ENTRIES == 32
#define MOST       7
#else
#define MOST       6
#endif
#define WEIGHT_BYTES     (4 * REGISTER_BYTES)
#define ACTIVATION_BYTES ENTRIES
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_INT16
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

#if defined VECTOR_IS_ZMM
#define NAME(number) zmm##number
#elif defined VECTOR_IS_XMM
#define NAME(number) xmm##number
#else
#define NAME(number) ymm##number
#endif

.macro add_entries number, entries
#if defined VECTOR_IS_ZMM
    vpaddb zmm\number, zmm\number, \entries
#elif defined VECTOR_IS_XMM
    vpaddb xmm\number, xmm\number, \entries
#else
    vpaddb ymm\number, ymm\number, \entries
#endif
.endm

#ifdef AVX512

.macro load_constants
#if ENTRIES == 16
    vbroadcasti32x4 NAME(27), [rsi]
#elif TABLES == 1
    vmovdqu64 NAME(27), [rsi]
#else
    vmovdqu64 NAME(26), [rsi]
    vmovdqu64 NAME(27), [rsi + REGISTER_BYTES]
#endif
.endm

.macro load_weights base, offset
    vmovdqu64 NAME(28), [\base + \offset]
    vmovdqu64 NAME(29), [\base + \offset + REGISTER_BYTES]
    vmovdqu64 NAME(30), [\base + \offset + 2 * REGISTER_BYTES]
    vmovdqu64 NAME(31), [\base + \offset + 3 * REGISTER_BYTES]
.endm

.macro dot_into number, source
#if ENTRIES == 16
    vpshufb NAME(26), NAME(27), \source
    add_entries \number, NAME(26)
#elif TABLES == 1
    vpermb NAME(26), \source, NAME(27)
    add_entries \number, NAME(26)
#else
    vmovdqa64 NAME(25), \source
    vpermi2b NAME(25), NAME(26), NAME(27)
    add_entries \number, NAME(25)
#endif
.endm

.macro group
    .irp indices, NAME(28), NAME(29), NAME(30), NAME(31)
    dot \indices
    .endr
.endm

#else

#if ENTRIES > 16
    .section .rodata
    .balign 32
.Lminus: .fill 32, 1, 0xf0
#endif

.macro load_constants
#if defined VECTOR_IS_XMM
    vmovdqu xmm11, [rsi]
#elif ENTRIES == 16
    vbroadcasti128 ymm11, [rsi]
#elif ENTRIES == 32
    vbroadcasti128 ymm10, [rsi]
    vbroadcasti128 ymm11, [rsi + 16]
#endif
.endm

.macro load_weights base, offset
    vmovdqu NAME(12), [\base + \offset]
    vmovdqu NAME(13), [\base + \offset + REGISTER_BYTES]
    vmovdqu NAME(14), [\base + \offset + 2 * REGISTER_BYTES]
    vmovdqu NAME(15), [\base + \offset + 3 * REGISTER_BYTES]
.endm

/* of the next 16 entries, by way of register `table` */
.macro look_further table, at
    vpaddb ymm6, ymm6, [rip + .Lminus]
    vbroadcasti128 \table, [rsi + \at]
    vpshufb ymm7, \table, ymm6
    vpxor ymm9, ymm9, ymm7
.endm

.macro dot_into number, source
#if ENTRIES == 16
    vpshufb NAME(9), NAME(11), \source
#elif ENTRIES == 32
    vpaddb ymm8, \source, [rip + .Lminus]
    vpshufb ymm9, ymm10, \source
    vpshufb ymm8, ymm11, ymm8
    vpxor ymm9, ymm9, ymm8
#else
    vbroadcasti128 ymm10, [rsi]
    vpshufb ymm9, ymm10, \source
    vpaddb ymm6, \source, [rip + .Lminus]
    vbroadcasti128 ymm11, [rsi + 16]
    vpshufb ymm7, ymm11, ymm6
    vpxor ymm9, ymm9, ymm7
    .set look_at, 32
    .rept ENTRIES / 32 - 1
    look_further ymm10, look_at
    look_further ymm11, look_at + 16
    .set look_at, look_at + 32
    .endr
#endif
    add_entries \number, NAME(9)
.endm

.macro group
    .irp indices, NAME(12), NAME(13), NAME(14), NAME(15)
    dot \indices
    .endr
.endm

#endif

    sequence_functions

#else

/* the tables as the look-ups need them: where they are joined, each sixteen entries but the first are differences from those before */
static uint8_t entry_of(const uint8_t *tables, uint32_t index)
{
#if !defined AVX512 && ENTRIES > 16
    uint8_t entry = tables[index % 16];
    for (uint32_t k = 1; k <= index / 16; k++)
        entry ^= tables[16 * k + index % 16];
    return entry;
#else
    return tables[index];
#endif
}

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    uint8_t *bytes = sum;
    for (uint32_t i = 0; i < VECTOR_BYTES; i++)
        bytes[i] = (uint8_t)(bytes[i] + entry_of(data->activations, data->weights[VECTOR_BYTES * dot + i]));
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
