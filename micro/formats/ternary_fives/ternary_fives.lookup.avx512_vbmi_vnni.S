/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Five ternary weights a byte, 14 bytes of 64 rows: sums of five activations are found among 122, two tables of 128 bytes that vpermi2b reads from two registers
 * each. Its index is the byte as it is; the sign, bit 7, which it does not look at, turns over what is found. Sums 36 h + l are added up as
 * bytes, seven of each, and then unpacked to the four bytes l, h, l', h' of 16 rows for vpdpbusd with 1, 36, 1, 36
 * (lookup_digits.avx512_vbmi_vnni.inc). 14 x (vpmovb2m, 2 vpermi2b, 2 vpsubb, 2 vpaddb, which the first of seven do not need), 8 vpunpck, 4 vpdpbusd.
 * 218 uops issued: 162 of arithmetic, 28 loads, 28 copies. Golden Cove at 512 bits, where vpermi2b is three: 162 on p05, 0.58 cycles per output
 * vector. Zen 5, where it is one: 106 on four pipes, 0.19.
 * An output vector is 32 weights: a table is loaded for each look-up here, 4 loads for 10 vectors, and for two of them in the kernel.
 *
 *   zmm0-3 accumulators   zmm4-17 weights   zmm18, zmm19 tables   zmm20, zmm21 indices, what is found   zmm22-25 l, h, l', h'   zmm26 zero
 *   zmm27 digits   zmm28, zmm29 temporaries   k1 signs
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            6.4
#define GROUP_DOTS       4
#define GROUP_VECTORS    140
#define LEAST            4
#define MOST             4
#define WEIGHT_BYTES     896
#define ACTIVATION_BYTES 3584
#define ACTIVATION_FILL  FILL_OWN
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#include "micro/formats/ternary_fives/ternary_fives_tables.h"

#ifdef __ASSEMBLER__

.macro load_constants
    mov eax, (1 + FIVES_BASE * 256) * 65537
    vpbroadcastd zmm27, eax
    vpxord zmm26, zmm26, zmm26
.endm

.macro load_weights base, offset
    .irp step, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
    load_step %(4 + \step), \base, %(\offset + 64 * \step)
    .endr
.endm

.macro load_step number, base, offset
    vmovdqu64 zmm\number, [\base + \offset]
.endm

.macro dot_into number, source
    vpdpbusd zmm\number, zmm27, \source
.endm

.macro find to, sum, weights, table
    vmovdqa64 zmm\to, zmm\weights
    vmovdqu64 zmm18, [rsi + \table]
    vpermi2b zmm\to, zmm18, [rsi + \table + 64]
    vpsubb zmm\to{k1}, zmm26, zmm\to
    .if \to != \sum
    vpaddb zmm\sum, zmm\sum, zmm\to
    .endif
.endm

.macro look_up step, low, high
    look_up_in \step, \low, \high, %(4 + \step)
.endm

.macro look_up_in step, low, high, weights
    vpmovb2m k1, zmm\weights
    .if \step % FIVES_STEPS
    find 20, \low, \weights, %(FIVES_BYTES * \step + FIVES_LOW)
    find 21, \high, \weights, %(FIVES_BYTES * \step + FIVES_HIGH)
    .else
    find \low, \low, \weights, %(FIVES_BYTES * \step + FIVES_LOW)
    find \high, \high, \weights, %(FIVES_BYTES * \step + FIVES_HIGH)
    .endif
.endm

.macro group
    .irp step, 0, 1, 2, 3, 4, 5, 6
    look_up \step, 22, 23
    .endr
    .irp step, 7, 8, 9, 10, 11, 12, 13
    look_up \step, 24, 25
    .endr
    vpunpcklbw zmm20, zmm22, zmm23
    vpunpcklbw zmm21, zmm24, zmm25
    vpunpckhbw zmm22, zmm22, zmm23
    vpunpckhbw zmm24, zmm24, zmm25
    vpunpcklwd zmm28, zmm20, zmm21
    vpunpckhwd zmm29, zmm20, zmm21
    vpunpcklwd zmm20, zmm22, zmm24
    vpunpckhwd zmm21, zmm22, zmm24
    dot zmm28
    dot zmm29
    dot zmm20
    dot zmm21
.endm

    sequence_functions

#else

enum { STEPS = 14 };

/** Lane d of dot s is row 16 (d / 4) + 4 s + d % 4. */
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    uint32_t *lanes = sum;
    for (uint32_t lane = 0; lane < 16; lane++) {
        uint32_t row = lane / 4 * 16 + 4 * dot + lane % 4;
        for (uint32_t step = 0; step < STEPS; step++) {
            uint8_t byte = data->weights[64 * step + row];
            const uint8_t *table = data->activations + FIVES_BYTES * step + byte % 128;
            int32_t found = (int8_t)table[FIVES_LOW] + FIVES_BASE * (int8_t)table[FIVES_HIGH];
            lanes[lane] += (uint32_t)(byte & 0x80 ? -found : found);
        }
    }
}

/** Digits of -18 … 18, of two seeds all at an end. */
void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    uint64_t state = seed;
    for (uint32_t i = 0; i < WEIGHT_BYTES; i++)
        weights[i] = (uint8_t)sequence_random(&state);
    for (uint32_t i = 0; i < ACTIVATION_BYTES; i++) {
        int32_t any = (int32_t)(sequence_random(&state) % 37) - 18;
        activations[i] = (uint8_t)(seed % 4 == 2 ? 18 : seed % 4 == 3 ? -18 : any);
    }
}

#endif
