/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/decode/decode_attention.h"

#include <string.h>

#include "harness/decode/decode.h"

enum { LINE = 64 };

void decode_attention_attend(const struct decode_attention *of, const float *queries, size_t layer, unsigned member)
{
    const struct decode_cache *cache = of->cache;
    size_t group = of->group, padded = cache->row_values;
    for (size_t i = cache->first_piece[member]; i < cache->first_piece[member + 1]; i++) {
        const struct decode_piece *piece = &cache->pieces[i];
        const struct layer_attention attention = {
            .queries = queries + piece->head * group * padded,
            .heads = group,
            .size = padded,
            .keys = decode_cache_keys(cache, layer, piece),
            .values = decode_cache_values(cache, layer, piece),
            .positions = piece->positions,
            .most = of->most + i * group,
            .sum = of->sum + i * group,
            .out = of->out + i * group * padded,
        };
        of->code->attention.attend(&attention);
    }
}

void decode_attention_merge(const struct decode_attention *of, size_t head, size_t size, float *out)
{
    const struct decode_cache *cache = of->cache;
    size_t group = of->group, padded = cache->row_values;
    size_t first = cache->head_piece[head / group], count = cache->head_piece[head / group + 1] - first;
    _Alignas(LINE) float whole[DECODE_HEAD_SIZE_MOST];
    struct layer_attention_part parts[cache->threads];
    for (size_t i = 0; i < count; i++) {
        size_t at = (first + i) * group + head % group;
        parts[i] = (struct layer_attention_part){of->most[at], of->sum[at], of->out + at * padded};
    }
    of->code->attention.merge(parts, count, padded, whole);
    memcpy(out, whole, size * sizeof *whole);
}
