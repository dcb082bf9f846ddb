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

static size_t tiles_of(enum layer_cache kind, size_t positions)
{
    return (positions + layer_cache_positions(kind) - 1) / layer_cache_positions(kind);
}

static size_t user_tiles(enum layer_cache kind, const struct decode_lengths *lengths, size_t users)
{
    size_t sum = 0;
    for (size_t user = 0; user < users; user++)
        sum += tiles_of(kind, decode_lengths_of(lengths, user));
    return sum;
}

uint64_t decode_cache_bytes(enum layer_cache kind, const struct model *model, size_t users, size_t layers,
                            const struct decode_lengths *lengths)
{
    return (uint64_t)user_tiles(kind, lengths, users) * layers * model->kv_heads * 2 *
           layer_cache_bytes(kind, model_head_padded(model));
}

static size_t head_positions(const struct decode_cache *cache, size_t head)
{
    return decode_lengths_of(&cache->lengths, head / cache->user_heads);
}

/** The piece of a head that has these tiles of it. */
static struct decode_piece piece_of(const struct decode_cache *cache, size_t head, size_t first_tile, size_t tiles)
{
    size_t together = layer_cache_positions(cache->kind), all = head_positions(cache, head);
    size_t first = first_tile * together, end = (first_tile + tiles) * together;
    return (struct decode_piece){.head = head, .first = first, .positions = (end < all ? end : all) - first};
}

/** Cut the line at the members' stretches and at the heads. */
static void cut(struct decode_cache *cache)
{
    size_t users = cache->kv_heads / cache->user_heads;
    size_t line = cache->user_heads * user_tiles(cache->kind, &cache->lengths, users);
    size_t count = 0, head = 0, head_begin = 0;
    for (unsigned t = 0; t < cache->threads; t++) {
        size_t begin = line_at(line, t, cache->threads), end = line_at(line, t + 1, cache->threads);
        cache->tiles[t] = end - begin;
        cache->first_piece[t] = count;
        for (size_t at = begin; at < end;) {
            size_t head_end = head_begin + tiles_of(cache->kind, head_positions(cache, head));
            size_t until = head_end < end ? head_end : end;
            struct decode_piece piece = piece_of(cache, head, at - head_begin, until - at);
            piece.member = t;
            piece.tile = at - begin;
            cache->pieces[count++] = piece;
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

/** Floats of 16 bits: bits of sign, of fraction and of exponent as `mask` keeps them, and at least the power of two in `least`. */
static void make_finite(uint16_t *value, size_t count, uint16_t mask, uint16_t least)
{
    for (size_t i = 0; i < count; i++)
        value[i] = (uint16_t)((value[i] & mask) + least);
}

/** Of bf16 2^-8 to 2^-1; of integers scales with which the largest is 0.5 to 1. */
static void settle(const struct decode_cache *cache, uint8_t *tile)
{
    size_t at = layer_cache_scales_at(cache->kind, cache->row_values);
    uint16_t *scales = (uint16_t *)(void *)(tile + at);
    switch (cache->kind) {
    case LAYER_CACHE_Q8_0: make_finite(scales, (cache->tile_bytes - at) / 2, 0x03ff, 0x1c00); break;
    case LAYER_CACHE_Q4_0: make_finite(scales, (cache->tile_bytes - at) / 2, 0x83ff, 0x2c00); break;
    default: make_finite((uint16_t *)(void *)tile, cache->row_values, 0x83ff, 0x3b80);
    }
}

static void fill_member(void *context, unsigned member)
{
    struct fill *fill = context;
    struct decode_cache *cache = fill->cache;
    size_t tiles = cache->layers * 2 * cache->tiles[member];
    if (memory_reserve(tiles * cache->tile_bytes, &cache->block[member]) ||
        memory_fill_random(&cache->block[member], fill->seed + member)) {
        __atomic_store_n(&fill->error, -ENOMEM, __ATOMIC_RELAXED);
        return;
    }
    for (size_t i = 0; i < tiles; i++)
        settle(cache, cache->block[member].bytes + i * cache->tile_bytes);
}

int decode_cache_open(struct decode_cache *cache, enum layer_cache kind, const struct model *model, size_t users,
                      size_t layers, const struct decode_lengths *lengths, struct team *team, uint64_t seed)
{
    unsigned threads = team_threads(team);
    *cache = (struct decode_cache){.lengths = *lengths,
                                   .kind = kind,
                                   .tile_bytes = layer_cache_bytes(kind, model_head_padded(model)),
                                   .user_heads = model->kv_heads,
                                   .kv_heads = users * model->kv_heads,
                                   .row_values = model_head_padded(model),
                                   .layers = layers,
                                   .threads = threads};
    cache->block = calloc(threads, sizeof *cache->block);
    cache->tiles = calloc(threads, sizeof *cache->tiles);
    cache->pieces = calloc(cache->kv_heads + threads, sizeof *cache->pieces);
    cache->first_piece = calloc(threads + 1, sizeof *cache->first_piece);
    cache->head_piece = calloc(cache->kv_heads + 1, sizeof *cache->head_piece);
    struct fill fill = {.cache = cache, .seed = seed};
    if (!cache->block || !cache->tiles || !cache->pieces || !cache->first_piece || !cache->head_piece)
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
    free(cache->tiles);
    free(cache->pieces);
    free(cache->first_piece);
    free(cache->head_piece);
    *cache = (struct decode_cache){0};
}

void *decode_cache_keys(const struct decode_cache *cache, size_t layer, const struct decode_piece *piece)
{
    size_t tile = layer * 2 * cache->tiles[piece->member] + piece->tile;
    return cache->block[piece->member].bytes + tile * cache->tile_bytes;
}

void *decode_cache_values(const struct decode_cache *cache, size_t layer, const struct decode_piece *piece)
{
    return (uint8_t *)decode_cache_keys(cache, layer, piece) + cache->tiles[piece->member] * cache->tile_bytes;
}

const struct decode_piece *decode_cache_newest(const struct decode_cache *cache, size_t head)
{
    return &cache->pieces[cache->head_piece[head + 1] - 1];
}
