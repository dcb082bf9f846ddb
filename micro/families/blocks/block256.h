/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_FAMILIES_BLOCKS_BLOCK256_H
#define MICRO_FAMILIES_BLOCKS_BLOCK256_H

#include "micro/families/blocks/blocks.h"

/**
 * C halves of q2_k and cb2: blocks of 256 codes of 2 bits in 16 groups of 16, with a byte a group and half-precision
 * scales a block.
 *
 *   q2_k  84 bytes. The byte of a group is a scale (low nibble) and a minimum (high nibble); a weight is
 *         scale d code - minimum dmin.
 *   cb2   82 bytes [arm-kernels-codebooks, 5.3]: four codebooks of four signed bytes, found once for a model. The byte
 *         of a group is a scale (bits 0 to 5) and the number of its codebook (bits 6 and 7); a weight is
 *         d scale codebook[number][code]. The paper asks for a local scale without stating its width: these two fill
 *         a byte.
 *
 * The order of the same bytes is the sequence's choice:
 *
 *   one row      16 group bytes, then 64 of codes as q2_k stores them (bits 2 p and 2 p + 1 of byte 32 c + i are
 *                weight 128 c + 32 p + i), then d and dmin as halves
 *   interleaved  registers of codes: lane s * rows + r of register i is group (lanes / rows) i + s of row r, and bits
 *                2 p and 2 p + 1 of its byte b are weight 4 p + b of that group. Then the group bytes, four groups to
 *                a lane: byte b of that lane in register m is that of register i = 4 m + b. Then d of all rows, dmin
 *                of all rows. A lane's sums are of one row, and a group is one lane: its scale is a lane's scale.
 *
 * Activations: 256 int8, their scale as float (byte 256), for cb2 the codebooks (byte 260 to 275); from byte 320, a
 * cache line, what a sequence makes of them.
 */
struct block256 {
    uint32_t rows, lanes; /* rows of interleaved blocks, 32-bit lanes of a register; rows 1: as q2_k stores it */
    uint32_t halves;      /* a row's half-precision numbers: 2 (q2_k) or 1 (cb2) */
};

enum { BLOCK256_SCALE = 256, BLOCK256_CODEBOOKS = 260, BLOCK256_OWN = 320 };

/** Group of 16 weights that lane `lane` of register i holds. */
static inline uint32_t block256_group(struct block256 block, uint32_t i, uint32_t lane)
{
    return block.lanes / block.rows * i + lane / block.rows;
}

/** Registers of codes. */
static inline uint32_t block256_registers(struct block256 block)
{
    return 16 * block.rows / block.lanes;
}

/** Bit at which weight k of a group begins. */
static inline uint32_t block256_position(struct block256 block, uint32_t row, uint32_t group, uint32_t k)
{
    uint32_t slots = block.lanes / block.rows, lane = group % slots * block.rows + row;
    if (block.rows == 1)
        return 8 * (16 + group / 8 * 32 + group % 2 * 16 + k) + group % 8 / 2 * 2;
    return 8 * (group / slots * 4 * block.lanes + 4 * lane + k % 4) + k / 4 * 2;
}

/** The byte of a group. */
static inline uint32_t block256_byte(struct block256 block, const uint8_t *weights, uint32_t row, uint32_t group)
{
    uint32_t slots = block.lanes / block.rows, lane = group % slots * block.rows + row, i = group / slots;
    return block.rows == 1 ? weights[group] : weights[64 * block.rows + i / 4 * 4 * block.lanes + 4 * lane + i % 4];
}

/** Half-precision number `which` of a row. */
static inline double block256_half(struct block256 block, const uint8_t *weights, uint32_t row, uint32_t which)
{
    return blocks_half(weights + 80 * block.rows + 2 * (which * block.rows + row));
}

/** Draw weights and activations, up to BLOCK256_OWN. */
static inline void block256_fill(struct block256 block, uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    uint64_t state = seed;
    blocks_draw(weights, 80 * block.rows, (int8_t *)activations, 256, seed);
    blocks_draw_scales(weights + 80 * block.rows, block.halves * block.rows, &state);
    blocks_put_float(activations + BLOCK256_SCALE, 0.001 * (double)(1 + sequence_random(&state) % 100), 1);
    for (uint32_t i = 0; i < 16; i++) {
        int32_t any = (int32_t)(sequence_random(&state) % 255) - 127;
        activations[BLOCK256_CODEBOOKS + i] = (uint8_t)(seed % 4 >= 2 ? i % 3 ? 127 : -127 : any);
    }
}

/** Sum of the activations of a group. */
static inline int32_t block256_sum(const uint8_t *activations, uint32_t group)
{
    int32_t sum = 0;
    for (uint32_t k = 0; k < 16; k++)
        sum += ((const int8_t *)activations)[16 * group + k];
    return sum;
}

/**
 * The activations in the order of an interleaved block's codes: register 4 i + p holds, in lane s * rows + r, the four
 * activations of weights 4 p … of the group in that lane; `absolute` for their magnitudes. 256 * rows bytes.
 */
static inline void block256_spread(struct block256 block, const uint8_t *activations, uint8_t *spread, int absolute)
{
    for (uint32_t i = 0; i < block256_registers(block); i++) {
        for (uint32_t at = 0; at < 16 * block.lanes; at++) {
            uint32_t p = at / (4 * block.lanes), lane = at / 4 % block.lanes;
            int8_t a = ((const int8_t *)activations)[16 * block256_group(block, i, lane) + 4 * p + at % 4];
            spread[16 * block.lanes * i + at] = (uint8_t)(absolute && a < 0 ? -a : a);
        }
    }
}

/**
 * Sums of the activations for vpmaddwd with minima as they lie in words: of each register of group bytes first the even
 * bytes, whose minima stand 16 times too high, then the odd ones, here made 16 times as large: at most 16 x 16 x 127.
 * The result is 16 times the sum. 32 * rows bytes.
 */
static inline void block256_spread_sums(struct block256 block, const uint8_t *activations, uint8_t *spread)
{
    for (uint32_t m = 0; m < block256_registers(block) / 4; m++) {
        for (uint32_t lane = 0; lane < block.lanes; lane++) {
            for (uint32_t b = 0; b < 4; b++) {
                int32_t sum = block256_sum(activations, block256_group(block, 4 * m + b, lane));
                uint32_t word = b % 2 * 2 * block.lanes + 2 * lane + b / 2;
                blocks_put_int16(spread + 8 * block.lanes * m + 2 * word, b % 2 ? 16 * sum : sum);
            }
        }
    }
}

/** q2_k, interleaved: dot product 0 adds what codes and scales are, 1 what the minima are. */
static inline void block256_refer_q2_k(struct block256 block, const struct sequence_data *data, uint32_t dot, void *sum,
                                       double *magnitudes)
{
    const int8_t *a = (const int8_t *)data->activations;
    for (uint32_t lane = 0; lane < block.lanes; lane++) {
        uint32_t row = lane % block.rows;
        double value = 0, magnitude = 0, scale = blocks_float(data->activations + BLOCK256_SCALE);
        for (uint32_t i = 0; i < block256_registers(block); i++) {
            uint32_t group = block256_group(block, i, lane), byte = block256_byte(block, data->weights, row, group);
            for (uint32_t k = 0; k < 16; k++) {
                uint32_t code = blocks_code(data->weights, block256_position(block, row, group, k), 2);
                double weight = dot == 0 ? block256_half(block, data->weights, row, 0) * (byte & 15) * code
                                         : -block256_half(block, data->weights, row, 1) * (byte >> 4);
                value += weight * a[16 * group + k] * scale;
                magnitude += fabs(weight * a[16 * group + k] * scale);
            }
        }
        blocks_add(sum, magnitudes, lane, value, magnitude);
    }
}

/** cb2, interleaved. */
static inline void block256_refer_cb2(struct block256 block, const struct sequence_data *data, void *sum,
                                      double *magnitudes)
{
    const int8_t *a = (const int8_t *)data->activations, *codebooks = a + BLOCK256_CODEBOOKS;
    for (uint32_t lane = 0; lane < block.lanes; lane++) {
        uint32_t row = lane % block.rows;
        double value = 0, magnitude = 0, scale = blocks_float(data->activations + BLOCK256_SCALE);
        for (uint32_t i = 0; i < block256_registers(block); i++) {
            uint32_t group = block256_group(block, i, lane), byte = block256_byte(block, data->weights, row, group);
            for (uint32_t k = 0; k < 16; k++) {
                uint32_t code = blocks_code(data->weights, block256_position(block, row, group, k), 2);
                double weight =
                    block256_half(block, data->weights, row, 0) * (byte & 63) * codebooks[byte / 64 * 4 + code];
                value += weight * a[16 * group + k] * scale;
                magnitude += fabs(weight * a[16 * group + k] * scale);
            }
        }
        blocks_add(sum, magnitudes, lane, value, magnitude);
    }
}

#endif
