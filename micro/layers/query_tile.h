/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_LAYERS_QUERY_TILE_H
#define MICRO_LAYERS_QUERY_TILE_H

#include <math.h>
#include <string.h>

#include "micro/layers/layer.h"

/** A tile of queries of a prompt's attention, one a lane; on the vectors of a vector_<isa>.h, which is included before. */
enum { ROWS = LAYER_QUERY_TILE, AT_ONCE = ROW_VECTORS * LANES };

/* A lane's positions past its own weigh nothing: no score, however small, is less by so much. */
static const float FAR_BELOW = -1e30f;

/** One tile of queries; all in the caller's scratch. */
struct query_tile {
    const struct layer_prefill_attention *of;
    size_t first, rows, used; /* the first row, [token][head]; how many; those in whole groups of AT_ONCE lanes */
    float *queries;           /* [size][ROWS] */
    float *out;               /* [size][ROWS] */
    float *wide;              /* [KEY_TILE][size], of keys or values */
    float *weight;            /* [KEY_TILE][ROWS] */
    float *most, *sum, *last, *factor; /* [ROWS]; last: position that a row attends to at most */
};

static size_t token_of(const struct query_tile *tile, size_t row)
{
    return (tile->first + row) / tile->of->heads;
}

static const float *query_of(const struct query_tile *tile, size_t row)
{
    const struct layer_prefill_attention *of = tile->of;
    return of->queries + token_of(tile, row) * of->query_stride + (tile->first + row) % of->heads * of->size;
}

static void begin_tile(struct query_tile *tile)
{
    const struct layer_prefill_attention *of = tile->of;
    tile->used = (tile->rows + AT_ONCE - 1) / AT_ONCE * AT_ONCE;
    for (size_t row = 0; row < tile->used; row += LANES) {
        for (size_t i = 0; i < of->size; i += LANES) {
            vec block[LANES];
            for (size_t j = 0; j < LANES; j++)
                block[j] = row + j < tile->rows ? vec_load(query_of(tile, row + j) + i) : vec_set(0);
            vec_transpose(block);
            for (size_t j = 0; j < LANES; j++)
                vec_store(tile->queries + (i + j) * ROWS + row, block[j]);
        }
    }
    for (size_t row = 0; row < tile->used; row++) {
        size_t of_tile = row < tile->rows ? row : tile->rows - 1;
        tile->last[row] = (float)(of->before + token_of(tile, of_tile));
        tile->most[row] = -INFINITY;
        tile->sum[row] = 0;
    }
    memset(tile->out, 0, of->size * ROWS * sizeof *tile->out);
}

/** Nothing is left of the scores of positions past a row's last. */
static void mask(const struct query_tile *tile, size_t position, size_t count)
{
    for (size_t p = 0; p < count; p++) {
        vec here = vec_set((float)(position + p));
        for (size_t row = 0; row < tile->used; row += LANES) {
            vec past = vec_min(vec_sub(vec_load(tile->last + row), here), vec_set(0));
            float *score = tile->weight + p * ROWS + row;
            vec_store(score, vec_sub(vec_load(score), vec_mul(past, vec_set(FAR_BELOW))));
        }
    }
}

static void write_out(const struct query_tile *tile)
{
    const struct layer_prefill_attention *of = tile->of;
    for (size_t row = 0; row < tile->rows; row += LANES) {
        size_t left = tile->rows - row, there = left < LANES ? left : LANES;
        vec share = vec_div(vec_set(1), vec_load(tile->sum + row));
        float *to[LANES]; /* a division for each, once for all values */
        for (size_t j = 0; j < there; j++)
            to[j] = of->out + token_of(tile, row + j) * of->out_stride +
                    (tile->first + row + j) % of->heads * of->values_out;
        for (size_t i = 0; i < of->values_out; i += LANES) {
            vec block[LANES];
            for (size_t j = 0; j < LANES; j++)
                block[j] = vec_mul(share, vec_load(tile->out + (i + j) * ROWS + row));
            vec_transpose(block);
            for (size_t j = 0; j < there && i + LANES <= of->values_out; j++)
                vec_store(to[j] + i, block[j]);
            for (size_t j = 0; j < there && i + LANES > of->values_out; j++) {
                _Alignas(64) float values[LANES];
                vec_store(values, block[j]);
                memcpy(to[j] + i, values, (of->values_out - i) * sizeof *values);
            }
        }
    }
}

#endif
