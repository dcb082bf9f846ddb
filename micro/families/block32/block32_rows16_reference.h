/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_FAMILIES_BLOCK32_BLOCK32_ROWS16_REFERENCE_H
#define MICRO_FAMILIES_BLOCK32_BLOCK32_ROWS16_REFERENCE_H

#include "micro/families/block32/block32.h"

/**
 * C halves of sixteen blocks of 32 nibbles, or with CODES_ARE_BYTES of 32 int8, of one row as they are stored, behind a half or, with
 * SCALE_IS_BYTE, a byte e that stands for 2^(e - 128). Activations:
 * [group][columns 0 to 15, 16 to 31][quarter][16] int8, quarter i of group g for block 4 g + i; from OFFSET minus the offset of the codes times their sum, from SCALE the scale, both of 16 lanes.
 */
#ifdef SCALE_IS_BYTE
enum { SCALE_BYTES = 1 };
#else
enum { SCALE_BYTES = 2 };
#endif
#ifdef CODES_ARE_BYTES
enum { BLOCKS = 16, BLOCK_BYTES = SCALE_BYTES + 32 };
#else
enum { BLOCKS = 16, BLOCK_BYTES = SCALE_BYTES + 16 };
#endif

static inline double rows16_scale(const uint8_t *block)
{
#ifdef SCALE_IS_BYTE
    return ldexp(1, block[0] - 128);
#else
    return blocks_half(block);
#endif
}

/** Weight k of a block over its scale: of nibbles byte j has columns j (low) and j + 16 (high). */
static inline int32_t rows16_weight(const uint8_t *block, const int8_t values[16], uint32_t k)
{
#ifdef CODES_ARE_BYTES
    (void)values;
    return (int8_t)block[SCALE_BYTES + k];
#else
    return values[blocks_code(block + SCALE_BYTES, k % 16 * 8 + k / 16 * 4, 4)];
#endif
}

/** Lane 4 i + g is block 4 g + i: its scale, then its codes. `values`: of nibbles. */
static inline void rows16_refer(const struct sequence_data *data, const int8_t values[16], void *sum,
                                double *magnitudes)
{
    for (uint32_t lane = 0; lane < BLOCKS; lane++) {
        uint32_t group = lane % 4, quarter = lane / 4;
        const uint8_t *block = data->weights + (4 * group + quarter) * BLOCK_BYTES;
        double scale = rows16_scale(block) * blocks_float(data->activations + SCALE + 4 * lane), magnitude = 0;
        int32_t products = 0;
        for (uint32_t k = 0; k < 32; k++) {
            int8_t a = (int8_t)data->activations[128 * group + k / 16 * 64 + 16 * quarter + k % 16];
            int32_t product = rows16_weight(block, values, k) * a;
            products += product;
            magnitude += fabs(scale * product);
        }
        blocks_add(sum, magnitudes, lane, scale * products, magnitude);
    }
}

static inline void rows16_fill(uint8_t *weights, uint8_t *activations, int32_t offset, uint64_t seed)
{
    uint8_t codes[(BLOCK_BYTES - SCALE_BYTES) * BLOCKS], scales[2 * BLOCKS];
    uint64_t state = seed;
    blocks_draw(codes, sizeof codes, (int8_t *)activations, OFFSET, seed);
    blocks_draw_scales(scales, BLOCKS, &state);
    for (uint32_t block = 0; block < BLOCKS; block++) {
        const int8_t *a = (const int8_t *)activations + 128 * (block / 4) + 16 * (block % 4);
        uint32_t lane = block % 4 * 4 + block / 4;
        int32_t total = 0;
        for (uint32_t k = 0; k < 32; k++)
            total += a[k / 16 * 64 + k % 16];
        uint8_t *to = weights + block * BLOCK_BYTES;
        memcpy(to, scales + 2 * block, SCALE_BYTES);
#ifdef SCALE_IS_BYTE
        *to = (uint8_t)(120 + *to % 16);
#endif
        memcpy(to + SCALE_BYTES, codes + (BLOCK_BYTES - SCALE_BYTES) * block, BLOCK_BYTES - SCALE_BYTES);
        blocks_put_int32(activations + OFFSET + 4 * lane, -offset * total, 1);
        blocks_put_float(activations + SCALE + 4 * lane, 0.001 * (double)(1 + sequence_random(&state) % 100), 1);
    }
}

#endif
