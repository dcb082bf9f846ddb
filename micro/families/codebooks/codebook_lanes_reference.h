/* SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef MICRO_FAMILIES_CODEBOOKS_CODEBOOK_LANES_REFERENCE_H
#define MICRO_FAMILIES_CODEBOOKS_CODEBOOK_LANES_REFERENCE_H

#include <stdbool.h>

#include "micro/families/blocks/blocks.h"
#include "micro/families/codebooks/codebook_operand.h"

/**
 * C halves of cb2_4, cb2_16 and cb3: a quarter of a block of 256 columns of some rows, lanes are rows. In this order: a quarter of d,
 * a half for each four lanes, which lanes take by turns; a lane of four bytes a row, byte g the scale (upper bits, signed) and the codebook
 * (lower bits) of group g of 16 columns; for each group a lane a row, bits 2 p, 2 p + 1 of byte b the code of column 4 p + b; of 3 bits then
 * for groups 0 and 1, and 2 and 3, a lane a row, bit 4 (g % 2) + p of byte b its upper bit. A weight is d * scale *
 * codebook[number][code].
 *
 * Activations: micro/families/codebooks/codebook_operand.h, and from byte CB_OPERAND_BYTES on the codebooks, signed.
 */
struct codebook_lanes {
    uint32_t lanes, code_bits, number_bits;
    bool whole_table; /* of codebook_table_entry() */
};

static inline uint32_t codebook_lanes_halves(struct codebook_lanes format)
{
    return format.lanes / 4;
}

static inline const uint8_t *codebook_lanes_groups(struct codebook_lanes format, const uint8_t *weights)
{
    return weights + 2 * codebook_lanes_halves(format);
}

static inline const uint8_t *codebook_lanes_codes(struct codebook_lanes format, const uint8_t *weights)
{
    return codebook_lanes_groups(format, weights) + 4 * format.lanes;
}

static inline uint32_t codebook_lanes_code(struct codebook_lanes format, const uint8_t *weights, uint32_t lane,
                                           uint32_t group, uint32_t k)
{
    const uint8_t *codes = codebook_lanes_codes(format, weights);
    uint32_t byte = k % 4, field = k / 4;
    uint32_t code = codes[4 * format.lanes * group + 4 * lane + byte] >> 2 * field & 3u;
    if (format.code_bits == 3)
        code |= ((uint32_t)codes[4 * format.lanes * (4 + group / 2) + 4 * lane + byte] >> (4 * (group % 2) + field) & 1)
                << 2;
    return code;
}

/** Dot product `dot`: of as many rows as a register has lanes. */
static inline void codebook_lanes_refer(struct codebook_lanes format, const struct sequence_data *data, uint32_t dot,
                                        void *sum, double *magnitudes)
{
    const uint32_t lanes = VECTOR_BYTES / 4, first = dot * lanes;
    const int8_t *a = (const int8_t *)data->activations, *codebooks = a + CB_OPERAND_BYTES;
    const uint8_t *group_bytes = codebook_lanes_groups(format, data->weights);
    double scale = blocks_float(data->activations + CB_SCALE);
    for (uint32_t lane = first; lane < first + lanes; lane++) {
        double d = blocks_half(data->weights + lane % codebook_lanes_halves(format) * 2), value = 0, magnitude = 0;
        for (uint32_t group = 0; group < 4; group++) {
            uint8_t byte = group_bytes[4 * lane + group];
            int32_t of_group = (int8_t)byte >> format.number_bits, number = byte & ((1 << format.number_bits) - 1);
            for (uint32_t k = 0; k < 16; k++) {
                uint32_t code = codebook_lanes_code(format, data->weights, lane, group, k);
                uint32_t place =
                    codebook_place(format.code_bits, format.number_bits, format.whole_table, 16 * group + k);
                double term = d * scale * of_group * codebooks[(number << format.code_bits) + (int32_t)code] * a[place];
                value += term;
                magnitude += fabs(term);
            }
        }
        blocks_add(sum, magnitudes, lane - first, value, magnitude);
    }
}

/** Value `from` of the codebooks in a table. */
static inline void codebook_lanes_put(uint8_t *activations, uint32_t at, uint32_t from)
{
    activations[at] = activations[CB_OPERAND_BYTES + from];
#ifndef VALUES_ARE_SIGNED
    activations[at] ^= 0x80;
#endif
}

static inline void codebook_lanes_fill(struct codebook_lanes format, uint8_t *weights, uint8_t *activations,
                                       uint64_t seed)
{
    uint32_t lines = 1 + 4 + (format.code_bits == 3 ? 2 : 0), entries = 1u << (format.code_bits + format.number_bits);
    uint64_t state = seed;
    int8_t *a = (int8_t *)activations;
    blocks_draw_scales(weights, codebook_lanes_halves(format), &state);
    blocks_draw(weights + 2 * codebook_lanes_halves(format), 4 * format.lanes * lines, a, 256, seed);
    for (uint32_t group = 0; group < 16; group++) {
        int32_t total = 0;
        for (uint32_t k = 0; k < 16; k++)
            total += a[16 * group + k];
        blocks_put_int32(activations + CB_STARTS + 4 * group, -128 * total, 1);
    }
    blocks_put_float(activations + CB_SCALE, 0.001 * (double)(1 + sequence_random(&state) % 100), 1);
    for (uint32_t i = 0; i < entries; i++) {
        int32_t any = (int32_t)(sequence_random(&state) % 255) - 127;
        activations[CB_OPERAND_BYTES + i] = (uint8_t)(seed % 4 >= 2 ? i % 3 ? 127 : -127 : any);
    }
    for (uint32_t i = 0; i < 64; i++) {
        uint32_t from = codebook_table_entry(format.code_bits, format.number_bits, format.whole_table, i);
        codebook_lanes_put(activations, CB_TABLE + i, from);
    }
    for (uint32_t i = 0; i < 16; i++)
        codebook_lanes_put(activations, CB_TABLE_BELOW + i, i % 4 * 4 + i / 4);
#ifdef VALUES_ARE_SIGNED
    for (uint32_t k = 0; k < 256; k++)
        activations[CB_MAGNITUDES + k] = (uint8_t)(a[k] < 0 ? -a[k] : a[k]);
#endif
}

#endif
