/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_FAMILIES_LOOKUP_TERNARY_BLOCK_H
#define MICRO_FAMILIES_LOOKUP_TERNARY_BLOCK_H

#include "micro/sequences/sequence_reference.h"

/**
 * Scalar side of sequences on TQ1_0 and TQ2_0: blocks of 256 ternary weights of one row with a scale in half precision,
 * times 256 int8 activations with a scale. A code is w + 1.
 *
 *   TQ2_0, 66 bytes: byte 32 h + m has weights 128 h + 32 n + m in bits 2n+1:2n; scale at 64.
 *   TQ1_0, 54 bytes: five weights a byte, as the fraction byte/256 in base 3, its digit n the weight
 *          32 n + m of byte m < 32, 160 + 16 n + m - 32 of byte m < 48; four a byte, digit n the weight
 *          240 + 4 n + m - 48, of byte m < 52; scale at 52.
 *
 * A panel of 16 rows has four bytes of each row in turns: bytes 4i … 4i+3 of row r lie at 64 i + 4 r; then 16 scales.
 */
enum { TERNARY_BLOCK = 256, TQ2_0_BYTES = 66, TQ1_0_BYTES = 54 };

/** Activations of a block and what kernels precompute of them. */
struct ternary_activations {
    int8_t values[TERNARY_BLOCK];
    int16_t sums[16];   /* of 16 neighbours each */
    float scale;        /* of the activations */
    int32_t offsets[8]; /* minus the sums of 32 neighbours each */
    int32_t offset;     /* minus the sum of all */
    int32_t offset64;   /* 64 times that */
};

/** Byte of its block that holds a weight of TQ2_0, and the code there. */
static inline uint32_t tq2_0_byte(uint32_t weight)
{
    return weight / 128 * 32 + weight % 32;
}

static inline int32_t tq2_0_code(uint8_t byte, uint32_t weight)
{
    return byte >> weight % 128 / 32 * 2 & 3;
}

static inline uint32_t tq1_0_byte(uint32_t weight)
{
    return weight < 160 ? weight % 32 : weight < 240 ? 32 + weight % 16 : 48 + weight % 4;
}

static inline int32_t tq1_0_code(uint8_t byte, uint32_t weight)
{
    uint32_t digit = weight < 160 ? weight / 32 : weight < 240 ? (weight - 160) / 16 : (weight - 240) / 4;
    uint32_t fraction = byte; /* 256ths */
    for (uint32_t n = 0; n < digit; n++)
        fraction = fraction * 3 % 256;
    return (int32_t)(fraction * 3 / 256);
}

/** A whole number times the block's and the activations' scale. */
static inline float ternary_scaled(int32_t whole, uint16_t scale_bits, float activation_scale)
{
    return (float)(whole * (double)reference_f16(scale_bits) * (double)activation_scale);
}

/**
 * A block of TQ2_0 over 8 lanes: lane i adds bytes 4 i … 4 i + 3 of both halves and takes off the i-th 32 activations.
 */
static inline void tq2_0_row(const struct sequence_data *data, float *lanes, double *magnitude)
{
    struct ternary_activations activations;
    uint16_t scale;
    int32_t whole[8] = {0};
    memcpy(&activations, data->activations, sizeof activations);
    memcpy(&scale, data->weights + 64, 2);
    for (uint32_t weight = 0; weight < TERNARY_BLOCK; weight++) {
        uint8_t byte = data->weights[tq2_0_byte(weight)];
        whole[weight % 32 / 4] += tq2_0_code(byte, weight) * activations.values[weight];
        whole[weight / 32] -= activations.values[weight];
    }
    for (uint32_t lane = 0; lane < 8; lane++)
        reference_add(lanes, magnitude, lane, ternary_scaled(whole[lane], scale, activations.scale));
}

/**
 * A block of TQ1_0 over 8 lanes: lane i adds places 4 i … 4 i + 3 of eight registers and takes off the i-th 32
 * activations.
 * @param weight_at  which weight's code a sequence brings to place 0 … 31 of register 0 … 7: its number 32 register +
 * place
 */
static inline void tq1_0_row(const struct sequence_data *data, uint32_t (*weight_at)(uint32_t place), float *lanes,
                             double *magnitude)
{
    struct ternary_activations activations;
    uint16_t scale;
    int32_t whole[8] = {0};
    uint8_t is_taken[TERNARY_BLOCK] = {0};
    memcpy(&activations, data->activations, sizeof activations);
    memcpy(&scale, data->weights + 52, 2);
    for (uint32_t place = 0; place < TERNARY_BLOCK; place++) {
        uint32_t weight = weight_at(place);
        if (is_taken[weight]++)
            return; /* not a permutation: the lanes stay wrong */
        whole[place % 32 / 4] += tq1_0_code(data->weights[tq1_0_byte(weight)], weight) * activations.values[weight];
        whole[place / 32] -= activations.values[place];
    }
    for (uint32_t lane = 0; lane < 8; lane++)
        reference_add(lanes, magnitude, lane, ternary_scaled(whole[lane], scale, activations.scale));
}

/** Row `row` of blocks of several rows, one after the other, over 16 lanes: lane i adds the weights of bytes 4 i … 4 i
 * + 3. */
static inline void ternary_row_of(const struct sequence_data *data, uint32_t row, uint32_t block_bytes,
                                  uint32_t (*byte_of)(uint32_t weight),
                                  int32_t (*code_of)(uint8_t byte, uint32_t weight), float *lanes, double *magnitude)
{
    const uint8_t *block = data->weights + (size_t)row * block_bytes;
    struct ternary_activations activations;
    uint16_t scale;
    int32_t whole[16] = {0};
    memcpy(&activations, data->activations, sizeof activations);
    memcpy(&scale, block + block_bytes - sizeof scale, sizeof scale);
    for (uint32_t weight = 0; weight < TERNARY_BLOCK; weight++) {
        uint32_t byte = byte_of(weight);
        whole[byte / 4] += (code_of(block[byte], weight) - 1) * activations.values[weight];
    }
    for (uint32_t lane = 0; lane < 16; lane++)
        reference_add(lanes, magnitude, lane, ternary_scaled(whole[lane], scale, activations.scale));
}

/** A panel of 16 rows: lane r adds the products of row r's block. */
static inline void ternary_panel(const struct sequence_data *data, uint32_t (*byte_of)(uint32_t weight),
                                 int32_t (*code_of)(uint8_t byte, uint32_t weight), uint32_t scales, float *lanes,
                                 double *magnitude)
{
    struct ternary_activations activations;
    memcpy(&activations, data->activations, sizeof activations);
    for (uint32_t row = 0; row < 16; row++) {
        int32_t whole = 0;
        for (uint32_t weight = 0; weight < TERNARY_BLOCK; weight++) {
            uint32_t byte = byte_of(weight);
            uint8_t packed = data->weights[byte / 4 * 64 + 4 * row + byte % 4];
            whole += (code_of(packed, weight) - 1) * activations.values[weight];
        }
        uint16_t scale;
        memcpy(&scale, data->weights + scales + 2 * row, 2);
        reference_add(lanes, magnitude, row, ternary_scaled(whole, scale, activations.scale));
    }
}

/** Random operands of `rows` blocks whose scales start at byte `scales`. */
static inline void ternary_fill(uint8_t *weights, uint32_t scales, uint32_t rows, uint8_t *activations, uint64_t seed)
{
    struct ternary_activations made = {0};
    uint64_t state = seed;
    reference_random_bytes(weights, scales, &state);
    for (uint32_t row = 0; row < rows; row++) { /* 1/16 … 1/8, either sign */
        uint16_t scale = (uint16_t)(0x2c00 | (sequence_random(&state) & 0x83ff));
        memcpy(weights + scales + 2 * row, &scale, 2);
    }
    reference_random_int8(made.values, TERNARY_BLOCK, &state);
    for (uint32_t k = 0; k < TERNARY_BLOCK; k++) {
        made.sums[k / 16] = (int16_t)(made.sums[k / 16] + made.values[k]);
        made.offsets[k / 32] -= made.values[k];
        made.offset -= made.values[k];
    }
    made.offset64 = 64 * made.offset;
    made.scale = 0.03125f + (float)(sequence_random(&state) >> 40) * 0x1p-28f;
    memcpy(activations, &made, sizeof made);
}

#endif
