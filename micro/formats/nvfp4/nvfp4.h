/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_FORMATS_NVFP4_NVFP4_H
#define MICRO_FORMATS_NVFP4_NVFP4_H

#include "micro/families/blocks/blocks.h"
#include "micro/formats/mxfp4/mxfp4.h"
#include "micro/formats/nvfp4/nvfp4_operand.h"

/**
 * C halves of NVFP4: groups of 16 columns of codes e2m1 with a scale ue4m3, four exponent bits with a bias of 7 and three of mantissa, no sign:
 *
 *     scale = (8 + mantissa) 2^(exponent - 10), of exponent 0 mantissa 2^-9;     weight = scale value
 */
static inline double nvfp4_scale(uint8_t byte)
{
    int exponent = byte >> 3 & 15, mantissa = byte & 7;
    return exponent ? ldexp(8 + mantissa, exponent - 10) : ldexp(mantissa, -9);
}

/** What adds up in one lane: a group's code times an activation, and its size. */
struct nvfp4_lane {
    double value, magnitude;
};

/** Of a column of a block of 4 scales and 32 bytes of nibbles. */
static inline uint32_t nvfp4_code(const uint8_t *block, uint32_t column)
{
    uint32_t byte = block[4 + 8 * (column / 16) + column % 8];
    return byte >> column % 16 / 8 * 4 & 15;
}

static inline void nvfp4_add(struct nvfp4_lane *lane, uint8_t scale, uint32_t code, int8_t a, double activation_scale)
{
    double one = nvfp4_scale(scale) / 2 * activation_scale * a;
    lane->value += one * mxfp4_twice(code);
    lane->magnitude += fabs(one) * 12;
}

/** Scales of any exponent, subnormal ones included, their scale as a float, and where groups of 16 activations begin. */
static inline void nvfp4_fill_scales(uint8_t *scales, uint32_t count, uint8_t *activations, int32_t offset,
                                     uint64_t *state)
{
    for (uint32_t i = 0; i < count; i++)
        scales[i] = (uint8_t)(1 + sequence_random(state) % 0x7e);
    blocks_put_float(activations + NVFP4_SCALE, 128 * 0.001 * (double)(1 + sequence_random(state) % 100), 1);
    for (uint32_t group = 0; group < 4; group++) {
        int32_t total = 0;
        for (uint32_t k = 0; k < 16; k++)
            total += (int8_t)activations[16 * group + k];
        blocks_put_int32(activations + NVFP4_GROUP_STARTS + 4 * group, -offset * total, 1);
    }
}

/**
 * A row as GGUF files have it, 36 bytes: four scales, then byte i of group g holds columns i (low nibble) and i + 8. A register of `bytes`
 * bytes holds as many sixteenths of groups, the low nibbles of all in its lower half: lane l of it has bytes 4 l … 4 l + 3, and a lane's sum is over all registers.
 */
static inline void nvfp4_refer_row(const struct sequence_data *data, uint32_t bytes, void *sum, double *magnitudes)
{
    const int8_t *a = (const int8_t *)data->activations;
    double scale = blocks_float(data->activations + NVFP4_SCALE) / 128;
    for (uint32_t lane = 0; lane < bytes / 4; lane++) {
        struct nvfp4_lane lane_sum = {0, 0};
        for (uint32_t at = 0; at < 64; at++) {
            uint32_t in = at % bytes, half = in / (bytes / 2), group = at / bytes * (bytes / 16) + in % (bytes / 2) / 8;
            if (in / 4 == lane)
                nvfp4_add(&lane_sum, data->weights[group], nvfp4_code(data->weights, 16 * group + 8 * half + in % 8),
                          a[at], scale);
        }
        blocks_add(sum, magnitudes, lane, lane_sum.value, lane_sum.magnitude);
    }
}

static inline void nvfp4_fill_row(uint8_t *weights, uint8_t *activations, int32_t offset, uint64_t seed)
{
    uint64_t state = seed;
    const int8_t *a = (const int8_t *)activations;
    blocks_draw(weights + 4, 32, (int8_t *)activations, 64, seed);
    nvfp4_fill_scales(weights, 4, activations, offset, &state);
    for (uint32_t i = 0; i < 64; i += 4)
        blocks_put_int32(activations + NVFP4_STARTS + i, -offset * (a[i] + a[i + 1] + a[i + 2] + a[i + 3]), 1);
}

/**
 * `groups` groups of `rows` rows, lanes are rows: the scales, group by group; then two registers a group, in which byte 4 r + i of the first holds columns i
 * (low nibble) and i + 8 of row r, of the second columns i + 4 and i + 12.
 */
static inline void nvfp4_refer_lanes(const struct sequence_data *data, uint32_t rows, uint32_t groups, void *sum,
                                     double *magnitudes)
{
    const int8_t *a = (const int8_t *)data->activations;
    double scale = blocks_float(data->activations + NVFP4_SCALE) / 128;
    for (uint32_t row = 0; row < rows; row++) {
        struct nvfp4_lane lane = {0, 0};
        for (uint32_t column = 0; column < 16 * groups; column++) {
            uint32_t group = column / 16, k = column % 8, high = column % 16 / 8;
            uint32_t byte = data->weights[groups * rows + 4 * rows * (2 * group + k / 4) + 4 * row + k % 4];
            nvfp4_add(&lane, data->weights[group * rows + row], byte >> 4 * high & 15, a[column], scale);
        }
        blocks_add(sum, magnitudes, row, lane.value, lane.magnitude);
    }
}

static inline void nvfp4_fill_lanes(uint8_t *weights, uint8_t *activations, uint32_t rows, uint32_t groups,
                                    int32_t offset, uint64_t seed)
{
    uint64_t state = seed;
    blocks_draw(weights + groups * rows, groups * rows * 8, (int8_t *)activations, 64, seed);
    nvfp4_fill_scales(weights, groups * rows, activations, offset, &state);
}

#endif
