/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/decode/decode_cache.h"
#include "micro/layers/layer.h"

/** Attention of one token of each user over a cache: each member over its pieces, then put together, head by head. */
struct decode_attention {
    const struct decode_cache *cache;
    const struct layer_kernel *code;
    size_t group;      /* query heads of a key-value head */
    float *most, *sum; /* [pieces][group] */
    float *out;        /* [pieces][group][padded] */
};

/**
 * A member's pieces. All members meet before the first head is put together.
 * @param layer    of the cache
 * @param queries  [heads of all users][padded]
 */
void decode_attention_attend(const struct decode_attention *attention, const float *queries, size_t layer,
                             unsigned member);

/**
 * @param head  of the queries
 * @param size  of a head, without padding
 * @param out   [size]
 */
void decode_attention_merge(const struct decode_attention *attention, size_t head, size_t size, float *out);
