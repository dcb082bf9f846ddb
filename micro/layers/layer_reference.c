/* SPDX-License-Identifier: BSD-3-Clause */
#include "micro/layers/layer_reference.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "micro/isa/half.h"

void layer_reference_norm(const double *x, const float *gain, size_t n, double epsilon, double *y)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] * x[i];
    double factor = 1 / sqrt(sum / (double)n + epsilon);
    for (size_t i = 0; i < n; i++)
        y[i] = x[i] * factor * (double)gain[i];
}

/** Where the code of a value lies. */
struct place {
    size_t byte;
    bool upper; /* of two in a byte */
};

static struct place place_of(enum layer_cache cache, size_t size, bool values, size_t position, size_t i)
{
    enum { TILE = LAYER_CACHE_TILE, BLOCK = LAYER_CACHE_BLOCK };
    const bool nibbles = cache == LAYER_CACHE_Q4_0;
    const size_t tile = position / TILE * layer_cache_bytes(cache, size), p = position % TILE, in_block = i % BLOCK;
    const size_t before = i / BLOCK * BLOCK, count = size - before < BLOCK ? size - before : BLOCK, half = count / 2;
    const size_t block = tile + before * TILE / (nibbles ? 2 : 1);
    if (values)
        return nibbles ? (struct place){block + (p / 4 * count + in_block) * 2 + p % 2, p % 4 > 1}
                       : (struct place){block + (p / 2 * count + in_block) * 2 + p % 2, false};
    return nibbles ? (struct place){block + (in_block % half / 4 * TILE + p) * 4 + in_block % 4, in_block >= half}
                   : (struct place){block + (in_block / 4 * TILE + p) * 4 + in_block % 4, false};
}

static size_t scale_at(enum layer_cache cache, size_t size, size_t position, size_t i)
{
    return position / LAYER_CACHE_TILE * layer_cache_bytes(cache, size) + layer_cache_scales_at(cache, size) +
           (i / LAYER_CACHE_BLOCK * LAYER_CACHE_TILE + position % LAYER_CACHE_TILE) * sizeof(uint16_t);
}

/** The integer and the scale of a value. */
static int integer_of(enum layer_cache cache, const uint8_t *rows, size_t size, bool values, size_t position, size_t i)
{
    const struct place place = place_of(cache, size, values, position, i);
    const int most = cache == LAYER_CACHE_Q4_0 ? 8 : 128;
    int code = rows[place.byte];
    if (cache == LAYER_CACHE_Q4_0)
        code = place.upper ? code >> 4 : code & 15;
    return values ? code - (code >= most ? 2 * most : 0) : code - most;
}

static double scale_of(enum layer_cache cache, const uint8_t *rows, size_t size, size_t position, size_t i)
{
    return (double)half_float_at(rows + scale_at(cache, size, position, i));
}

double layer_reference_cached(enum layer_cache cache, const void *rows, size_t size, bool values, size_t position,
                              size_t i)
{
    if (cache == LAYER_CACHE_BF16)
        return layer_from_bf16(((const uint16_t *)rows)[position * size + i]);
    return integer_of(cache, rows, size, values, position, i) * scale_of(cache, rows, size, position, i);
}

void layer_reference_store(enum layer_cache cache, const float *x, size_t size, void *rows, size_t position,
                           bool values)
{
    uint8_t *bytes = rows;
    float scale = 0;
    for (size_t i = 0; i < size; i++) {
        if (cache == LAYER_CACHE_BF16) {
            ((uint16_t *)rows)[position * size + i] = layer_to_bf16(x[i]);
            continue;
        }
        const bool nibble = cache == LAYER_CACHE_Q4_0;
        if (i % LAYER_CACHE_BLOCK == 0) {
            float extreme = 0;
            for (size_t j = i; j < size && j < i + LAYER_CACHE_BLOCK; j++)
                extreme = fabsf(x[j]) > fabsf(extreme) ? x[j] : extreme;
            scale = nibble ? extreme / -8 : fabsf(extreme) / 127;
            const uint16_t half = half_from_float(scale);
            memcpy(bytes + scale_at(cache, size, position, i), &half, sizeof half);
        }
        const float by = scale != 0 ? 1 / scale : 0;
        const int q = nibble ? (int)fminf(floorf(x[i] * by + 0.5f), 7) : (int)fminf(rintf(x[i] * by), 127);
        const struct place place = place_of(cache, size, values, position, i);
        const int code = values ? q : q + (nibble ? 8 : 128);
        const int kept = nibble ? bytes[place.byte] & (place.upper ? 15 : 0xf0) : 0;
        bytes[place.byte] = (uint8_t)(kept | (nibble ? (code & 15) << (place.upper ? 4 : 0) : code));
    }
}

/** To q8_0 and back, with a scale of f32. */
static void round_query(const double *query, size_t size, double *rounded)
{
    float most = 0;
    for (size_t i = 0; i < size; i++) {
        if (i % LAYER_CACHE_BLOCK == 0) {
            most = 0;
            for (size_t j = i; j < size && j < i + LAYER_CACHE_BLOCK; j++)
                most = fmaxf(most, fabsf((float)query[j]));
        }
        rounded[i] = most > 0 ? (double)rintf((float)query[i] * (127 / most)) * (double)(most / 127) : 0;
    }
}

static double largest_of(const double *x, size_t n)
{
    double largest = x[0];
    for (size_t i = 1; i < n; i++)
        largest = fmax(largest, x[i]);
    return largest;
}

/** Of value i of a tile, with the rounded weights: layer.h. */
static double sum_of_tile(enum layer_cache cache, const double *score, double highest, const uint8_t *values,
                          size_t size, size_t first, size_t count, size_t i)
{
    double most = 0, sum = 0;
    for (size_t p = first; p < first + count; p++)
        most = fmax(most, fabs(scale_of(cache, values, size, p, i)));
    const double unit = most / LAYER_CACHE_WEIGHT;
    for (size_t p = first; p < first + count && most > 0; p++)
        sum += rint(exp(score[p] - highest) * scale_of(cache, values, size, p, i) / unit) *
               integer_of(cache, values, size, true, p, i);
    return unit * sum;
}

int layer_reference_attention(enum layer_cache cache, const double *query, const void *keys, const void *values,
                              size_t positions, size_t size, double *out)
{
    double *score = calloc(positions + 1 + size, sizeof *score), most = -INFINITY, sum = 0;
    if (!score)
        return -ENOMEM;
    double *rounded = score + positions + 1;
    if (cache == LAYER_CACHE_BF16)
        memcpy(rounded, query, size * sizeof *rounded);
    else
        round_query(query, size, rounded);
    for (size_t p = 0; p < positions; p++) {
        for (size_t i = 0; i < size; i++)
            score[p] += rounded[i] * layer_reference_cached(cache, keys, size, false, p, i);
        most = fmax(most, score[p]);
    }
    for (size_t p = 0; p < positions; p++)
        sum += exp(score[p] - most);
    memset(out, 0, size * sizeof *out);
    for (size_t p = 0; cache == LAYER_CACHE_BF16 && p < positions; p++) {
        for (size_t i = 0; i < size; i++)
            out[i] += exp(score[p] - most) / sum * layer_reference_cached(cache, values, size, true, p, i);
    }
    for (size_t first = 0; cache != LAYER_CACHE_BF16 && first < positions; first += LAYER_CACHE_TILE) {
        const size_t left = positions - first, count = left < LAYER_CACHE_TILE ? left : LAYER_CACHE_TILE;
        const double highest = largest_of(score + first, count);
        for (size_t i = 0; i < size; i++)
            out[i] += exp(highest - most) / sum * sum_of_tile(cache, score, highest, values, size, first, count, i);
    }
    free(score);
    return 0;
}

double layer_reference_gate(enum layer_activation activation, double gate, double up)
{
    double positive = fmax(gate, 0);
    return activation == LAYER_SILU ? gate / (1 + exp(-gate)) * up : positive * positive * up;
}

double layer_from_bf16(uint16_t half)
{
    uint32_t bits = (uint32_t)half << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

uint16_t layer_to_bf16(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
