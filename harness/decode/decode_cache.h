/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/team/team.h"
#include "micro/layers/model.h"
#include "platforms/memory/memory.h"

/** How many positions users have: each the next of these numbers, in turn. */
enum { DECODE_LENGTHS_MOST = 8 };
struct decode_lengths {
    size_t count, of[DECODE_LENGTHS_MOST]; /* count > 0 */
};

/** Of one user; of so many; of the one that has most. */
static inline size_t decode_lengths_of(const struct decode_lengths *lengths, size_t user)
{
    return lengths->of[user % lengths->count];
}
size_t decode_lengths_sum(const struct decode_lengths *lengths, size_t users);
size_t decode_lengths_most(const struct decode_lengths *lengths);

/**
 * Keys and values of all positions so far, as a kind of cache keeps them (micro/layers/layer.h), of every layer, of one user or of several, each with positions of its own: the heads of all
 * users, one user after the other, are the heads here. The tiles of all key-value heads, of one position each in bf16, are one line, head by head, of which each
 * member has an equal stretch in memory that it touched first; so a head may be cut between members, and attention is even over any
 * number of them. A head's values at one position are padded to LAYER_PAD.
 */

/** A head's positions that one member has. */
struct decode_piece {
    size_t head, first, positions;
    unsigned member;
    size_t tile; /* of the member's stretch, where they begin */
};

struct decode_cache {
    struct decode_lengths lengths;
    enum layer_cache kind;
    size_t user_heads, kv_heads, row_values, layers; /* key-value heads of one user, and of all */
    unsigned threads;
    struct memory_block *block; /* [threads] */
    size_t *tiles;              /* [threads], of a layer */
    size_t tile_bytes;
    struct decode_piece *pieces; /* in the order of the line */
    size_t *first_piece;         /* [threads + 1]: those of a member */
    size_t *head_piece;          /* [kv_heads + 1]: those of a head */
};

/** Bytes that decode_cache_open allocates. */
uint64_t decode_cache_bytes(enum layer_cache kind, const struct model *model, size_t users, size_t layers,
                            const struct decode_lengths *lengths);

/**
 * A cache of these positions (> 0) of the users, of random finite values of magnitude up to 1, every member its own.
 * @return 0 or -ENOMEM
 */
int decode_cache_open(struct decode_cache *cache, enum layer_cache kind, const struct model *model, size_t users,
                      size_t layers, const struct decode_lengths *lengths, struct team *team, uint64_t seed);
void decode_cache_release(struct decode_cache *cache);

/** Where a piece's keys or values of a layer begin. */
void *decode_cache_keys(const struct decode_cache *cache, size_t layer, const struct decode_piece *piece);
void *decode_cache_values(const struct decode_cache *cache, size_t layer, const struct decode_piece *piece);

/** The last piece of a head, which has its newest position. */
const struct decode_piece *decode_cache_newest(const struct decode_cache *cache, size_t head);
