/* SPDX-License-Identifier: BSD-3-Clause
 *
 * c2.S with Neon's instructions, of which the paper times none: 16 bytes of a register made into sums. Neon widens while it adds, so that no conversion
 * stands between a look-up and its sum, and a multiply-add accumulates by itself. Gamma is cycles of 32 bytes, two registers. Neoverse N1 has two vector
 * pipes, of which one takes smlal; V1 has four, of which two take smlal and tbl.
 *
 *   mad                 16 products of codes of 2 bits and int8 activations, added up as eight words: smlal and smlal2, four for 32 bytes. N1: >= 4.0, V1: >= 2.0.
 *                       With a dot product as four sums of 32 bits: sdot, two for 32 bytes. N1: >= 1.0, V1: >= 0.5
 *   tbl                 16 look-ups of bytes, added up as bytes: tbl and add, four for 32 bytes. N1: >= 2.0, V1: >= 1.0
 *   tbl_add_cvt         of 16 look-ups eight are made words and added up: tbl and saddw, four for 32 bytes. N1: >= 2.0, V1: >= 1.0
 *   tbl_add_cvt_whole   all of them: tbl, saddw and saddw2, six for 32 bytes. N1: >= 3.0, V1: >= 1.5
 *
 *   v0-11 accumulators   v16 activations, table   v17 entries   v20-23 codes, indices
 */
#define ORIGIN           "bitnet-cpp"
#define CLAIMED          0.0
#define BYTES            32.0
#define GROUP_DOTS       4
#define LEAST            1
#define MOST             12
#define WEIGHT_BYTES     64
#ifndef DOT_PRODUCT
#define LANE             LANE_INT16
#endif
#define WEIGHT_FILL      FILL_OWN
#ifndef MAD
#define ACTIVATION_FILL  FILL_OWN
#endif
#include "micro/sequences/sequence_frame.h"

#ifdef __ASSEMBLER__

.macro load_constants
    ldr q16, [x1]
.endm

.macro load_weights base, offset
    ldr q20, [\base, \offset]
    ldr q21, [\base, \offset + 16]
    ldr q22, [\base, \offset + 32]
    ldr q23, [\base, \offset + 48]
.endm

.macro dot_into number, source
#if defined DOT_PRODUCT
    sdot v\number\().4s, v\source\().16b, v16.16b
#elif defined MAD
    smlal v\number\().8h, v\source\().8b, v16.8b
    smlal2 v\number\().8h, v\source\().16b, v16.16b
#else
    tbl v17.16b, {v16.16b}, v\source\().16b
#if defined ADDS_BYTES
    add v\number\().16b, v\number\().16b, v17.16b
#else
    saddw v\number\().8h, v\number\().8h, v17.8b
#endif
#ifdef CONVERTS_ALL
    saddw2 v\number\().8h, v\number\().8h, v17.16b
#endif
#endif
.endm

.macro group
    .irp weights, 20, 21, 22, 23
    dot \weights
    .endr
.endm

    sequence_functions

#else

/** What byte i of a register stands for. */
static int32_t value(const struct sequence_data *data, uint32_t dot, uint32_t i)
{
    uint32_t code = data->weights[16 * dot + i];
#ifdef MAD
    return (int32_t)code * (int8_t)data->activations[i];
#else
    return (int8_t)data->activations[code];
#endif
}

void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
#if defined DOT_PRODUCT
    uint32_t *words = sum;
    for (uint32_t i = 0; i < 16; i++)
        words[i / 4] += (uint32_t)value(data, dot, i);
#elif defined ADDS_BYTES
    uint8_t *bytes = sum;
    for (uint32_t i = 0; i < 16; i++)
        bytes[i] = (uint8_t)(bytes[i] + value(data, dot, i));
#else
    uint16_t *words = sum;
#ifdef CONVERTS_HALF
    const uint32_t converted = 8;
#else
    const uint32_t converted = 16;
#endif
    for (uint32_t i = 0; i < converted; i++)
        words[i % 8] = (uint16_t)(words[i % 8] + value(data, dot, i));
#endif
}

/* a table of 16 entries, and indices within it */
void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    uint64_t state = seed;
    reference_random_bytes(weights, WEIGHT_BYTES, &state);
#ifdef MAD
    (void)activations;
    for (uint32_t i = 0; i < WEIGHT_BYTES; i++)
        weights[i] &= 3;
#else
    for (uint32_t i = 0; i < WEIGHT_BYTES; i++)
        weights[i] &= 15;
    reference_random_int8((int8_t *)activations, 16, &state);
#endif
}

#endif
