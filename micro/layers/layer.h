/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_LAYERS_LAYER_H
#define MICRO_LAYERS_LAYER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * What a layer of a model does between its matrices: RMS norm, output scales and residual adds, rotary embedding,
 * attention over a cache, the product with the gate. One file micro/layers/<part>.c each, whose arithmetic is that of
 * all instruction sets of its row in layers.def, on the vectors of vector_<isa>.h.
 *
 * Vectors are f32, aligned to 64 bytes, readable and writable to a multiple of LAYER_PAD values; what is past n is zero, and
 * stays so.
 */
enum { LAYER_PAD = 16 };

enum layer_part {
    LAYER_NORM,
    LAYER_SCALE,
    LAYER_ROPE,
    LAYER_ATTENTION,
    LAYER_PREFILL_ATTENTION,
    LAYER_GATE,
    LAYER_PARTS
};

/** gate and up become silu(gate) up, or max(gate, 0)^2 up. */
enum layer_activation { LAYER_SILU, LAYER_RELU2, LAYER_ACTIVATIONS };
const char *layer_activation_name(enum layer_activation activation);

/**
 * How keys and values of earlier positions are kept, a head at a time:
 *
 *     bf16   rows of a position, one after the other
 *     q8_0   blocks of 32 values with a scale d of f16, value = d q, q an integer of -127 ... 127, as ggml has them: d = max |x| / 127
 *     q4_0   likewise, q of -8 ... 7: d = -(the x of largest magnitude) / 8
 *
 * Where the size is no multiple of 32, the last block has 16 values. Bytes of the blocks are as many as ggml's, but ordered for dot products
 * of four bytes, in tiles of LAYER_CACHE_TILE positions, first the integers, block by block, then the scales:
 *
 *     keys    q8_0: [values / 4][positions][4] of q + 128; q4_0: [values / 8][positions][4] of q + 8, in the upper half of a byte that of
 *             half a block further on
 *     values  q8_0: [positions / 2][values][2] of q; q4_0: [positions / 4][values][2] of q, in the upper half that of two positions further on
 *     scales  [positions] f16
 */
enum layer_cache { LAYER_CACHE_BF16, LAYER_CACHE_Q8_0, LAYER_CACHE_Q4_0, LAYER_CACHES };
enum { LAYER_CACHE_TILE = 64, LAYER_CACHE_BLOCK = 32, LAYER_CACHE_WEIGHT = 32767 };
const char *layer_cache_name(enum layer_cache cache);
/** @return whether there is one */
bool layer_cache_named(const char *name, enum layer_cache *cache);

/** Positions that lie together: a row or a tile; its bytes for a head of this padded size, and how many of them are before the scales. */
size_t layer_cache_positions(enum layer_cache cache);
size_t layer_cache_bytes(enum layer_cache cache, size_t size);
size_t layer_cache_scales_at(enum layer_cache cache, size_t size);
/** Of a value, scales included, where the size is a multiple of LAYER_CACHE_BLOCK. */
double layer_cache_value_bytes(enum layer_cache cache);

/**
 * Some query heads that share a key and value head, over some consecutive positions of its cache. What comes out is a part
 * of softmax(q K') V that layer_attention_merge puts together with those of other positions:
 *
 *     most = max_p q.k_p,  sum = sum_p exp(q.k_p - most),  out = sum_p exp(q.k_p - most) v_p
 *
 * Over a cache of integers the queries are rounded to q8_0 as well, with scales of f32. The weights are rounded tile by tile: exp(q.k_p - highest
 * q.k of the tile) times the scale d of a block of values to the nearest multiple of largest |d| of the tile's block / LAYER_CACHE_WEIGHT. Whatever
 * parts the positions of whole tiles are dealt to, they come to the same.
 */
struct layer_attention {
    const float *queries; /* [heads][size], multiplied with 1/sqrt(head size) already */
    size_t heads;
    size_t size;               /* of a head, padded with zeros to a multiple of LAYER_PAD */
    const void *keys, *values; /* of a cache; bf16 aligned to 32 bytes, tiles to 64, which are readable to their end */
    size_t positions;          /* > 0 */
    float *most, *sum;         /* [heads] */
    float *out;                /* [heads][size] */
};

/** Parts of one head's attention. */
struct layer_attention_part {
    float most, sum;
    const float *out; /* [size] */
};

/**
 * The same of consecutive tokens of a prompt at once, each over the positions up to its own, and divided by the sum: the heads
 * of a token that share a key and value head, token after token.
 */
struct layer_prefill_attention {
    const float *queries;          /* of token t and head h at t query_stride + h size, scaled as above */
    size_t query_stride;           /* floats from token to token */
    size_t tokens, heads, size;    /* size as above */
    const uint16_t *keys, *values; /* bf16 [before + tokens][size]; aligned to 32 bytes */
    size_t before;                 /* positions before the first token: token t attends to 0 … before + t, < 2^24 */
    float *out;                    /* of token t and head h at t out_stride + h values_out */
    size_t out_stride, values_out; /* values_out <= size: without the padding */
};

/** Queries, tokens times heads, that keys and values are widened for once; of more tokens, any number of those. */
enum { LAYER_QUERY_TILE = 64 };

struct layer_kernel {
    const char *name; /* "<part>.<isa>" */
    const char *isa;
    enum layer_part part;
    union {
        /** y = gain x / sqrt(mean(x^2) + epsilon). y may be x. */
        void (*norm)(const float *x, const float *gain, size_t n, float epsilon, float *y);

        struct {
            /** y = scale x, of the integer sums of a GEMV or of floats. No padding is read or written; y may be x. */
            void (*from_i32)(const int32_t *x, float scale, size_t n, float *y);
            void (*from_f32)(const float *x, float scale, size_t n, float *y);
            /** y += scale x */
            void (*add_i32)(const int32_t *x, float scale, size_t n, float *y);
            void (*add_f32)(const float *x, float scale, size_t n, float *y);
        } scale;

        /**
         * Rotate the pairs (x[i], x[i + half]) by angle i: y[i] = x[i] cosine[i] - x[i + half] sine[i], and
         * y[i + half] = x[i + half] cosine[i] + x[i] sine[i]. No padding is read or written; y may be x.
         */
        void (*rope)(const float *x, const float *cosine, const float *sine, size_t half, float *y);

        struct {
            void (*attend)(const struct layer_attention *attention);
            /** Put parts together and divide by the sum of all. */
            void (*merge)(const struct layer_attention_part *parts, size_t count, size_t size, float *y);
            enum layer_cache cache;
            /**
             * Let a position of keys or of values have x, of a size as above: bf16 to nearest even; q8_0 and q4_0 of finite x, whose blocks
             * have no magnitude from 2^19 on.
             */
            void (*store)(const float *x, size_t size, void *rows, size_t position, bool values);
        } attention;

        struct {
            /** Scratch is scratch_bytes(size), aligned to 64 bytes; of no meaning before or after. */
            void (*attend)(const struct layer_prefill_attention *attention, void *scratch);
            size_t (*scratch_bytes)(size_t size);
        } prefill_attention;

        /** y = activation(gate) up; y may be gate or up. */
        void (*gate)(enum layer_activation activation, const float *gate, const float *up, size_t n, float *y);
    };
};

/** All of this architecture, NULL-terminated, in name order. */
const struct layer_kernel *const *layer_kernel_all(void);

#endif
