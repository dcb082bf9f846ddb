/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/decode/decode_cache.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static size_t line_at(size_t line, unsigned member, unsigned threads)
{
    return line / threads * member + line % threads * member / threads;
}

size_t decode_lengths_sum(const struct decode_lengths *lengths, size_t users)
{
    size_t sum = 0;
    for (size_t user = 0; user < users; user++)
        sum += decode_lengths_of(lengths, user);
    return sum;
}

size_t decode_lengths_most(const struct decode_lengths *lengths)
{
    size_t most = 0;
    for (size_t i = 0; i < lengths->count; i++)
        most = lengths->of[i] > most ? lengths->of[i] : most;
    return most;
}

uint64_t decode_cache_bytes(const struct model *model, size_t users, size_t layers,
                            const struct decode_lengths *lengths)
{
    return (uint64_t)decode_lengths_sum(lengths, users) * layers * model->kv_heads * model_head_padded(model) * 2 *
           sizeof(uint16_t);
}

static size_t head_positions(const struct decode_cache *cache, size_t head)
{
    return decode_lengths_of(&cache->lengths, head / cache->user_heads);
}

/** Cut the line at the members' stretches and at the heads. */
static void cut(struct decode_cache *cache)
{
    size_t line = cache->user_heads * decode_lengths_sum(&cache->lengths, cache->kv_heads / cache->user_heads);
    size_t count = 0, head = 0, head_begin = 0;
    for (unsigned t = 0; t < cache->threads; t++) {
        size_t begin = line_at(line, t, cache->threads), end = line_at(line, t + 1, cache->threads);
        cache->rows[t] = end - begin;
        cache->first_piece[t] = count;
        for (size_t at = begin; at < end;) {
            size_t head_end = head_begin + head_positions(cache, head), until = head_end < end ? head_end : end;
            cache->pieces[count++] = (struct decode_piece){
                .head = head, .first = at - head_begin, .positions = until - at, .member = t, .row = at - begin};
            at = until;
            if (at == head_end) {
                head++;
                head_begin = head_end;
            }
        }
    }
    cache->first_piece[cache->threads] = count;
    for (size_t i = count; i-- > 0;)
        cache->head_piece[cache->pieces[i].head] = i;
    cache->head_piece[cache->kv_heads] = count;
}

struct fill {
    struct decode_cache *cache;
    uint64_t seed;
    int error;
};

/** Bit patterns of sign, an exponent of 2^-8 to 2^-1 and any fraction. */
static void fill_member(void *context, unsigned member)
{
    struct fill *fill = context;
    struct decode_cache *cache = fill->cache;
    size_t values = cache->layers * 2 * cache->rows[member] * cache->row_values;
    if (memory_reserve(values * sizeof(uint16_t), &cache->block[member]) ||
        memory_fill_random(&cache->block[member], fill->seed + member)) {
        __atomic_store_n(&fill->error, -ENOMEM, __ATOMIC_RELAXED);
        return;
    }
    uint16_t *value = (uint16_t *)(void *)cache->block[member].bytes;
    for (size_t i = 0; i < values; i++)
        value[i] = (uint16_t)((value[i] & 0x83ffu) + 0x3b80u); /* 0x3b80 is 2^-8 */
}

int decode_cache_open(struct decode_cache *cache, const struct model *model, size_t users, size_t layers,
                      const struct decode_lengths *lengths, struct team *team, uint64_t seed)
{
    unsigned threads = team_threads(team);
    *cache = (struct decode_cache){.lengths = *lengths,
                                   .user_heads = model->kv_heads,
                                   .kv_heads = users * model->kv_heads,
                                   .row_values = model_head_padded(model),
                                   .layers = layers,
                                   .threads = threads};
    cache->block = calloc(threads, sizeof *cache->block);
    cache->rows = calloc(threads, sizeof *cache->rows);
    cache->pieces = calloc(cache->kv_heads + threads, sizeof *cache->pieces);
    cache->first_piece = calloc(threads + 1, sizeof *cache->first_piece);
    cache->head_piece = calloc(cache->kv_heads + 1, sizeof *cache->head_piece);
    struct fill fill = {.cache = cache, .seed = seed};
    if (!cache->block || !cache->rows || !cache->pieces || !cache->first_piece || !cache->head_piece)
        fill.error = -ENOMEM;
    if (!fill.error) {
        cut(cache);
        team_run(team, fill_member, &fill);
    }
    if (fill.error)
        decode_cache_release(cache);
    return fill.error;
}

void decode_cache_release(struct decode_cache *cache)
{
    for (unsigned t = 0; cache->block && t < cache->threads; t++)
        memory_release(&cache->block[t]);
    free(cache->block);
    free(cache->rows);
    free(cache->pieces);
    free(cache->first_piece);
    free(cache->head_piece);
    *cache = (struct decode_cache){0};
}

uint16_t *decode_cache_keys(const struct decode_cache *cache, size_t layer, const struct decode_piece *piece)
{
    size_t row = layer * 2 * cache->rows[piece->member] + piece->row;
    return (uint16_t *)(void *)cache->block[piece->member].bytes + row * cache->row_values;
}

uint16_t *decode_cache_values(const struct decode_cache *cache, size_t layer, const struct decode_piece *piece)
{
    return decode_cache_keys(cache, layer, piece) + cache->rows[piece->member] * cache->row_values;
}

const struct decode_piece *decode_cache_newest(const struct decode_cache *cache, size_t head)
{
    return &cache->pieces[cache->head_piece[head + 1] - 1];
}
