/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_MEASURE_SESSION_POOL_H
#define HARNESS_MEASURE_SESSION_POOL_H

#include <stddef.h>
#include <stdint.h>

#include "harness/measure/session.h"
#include "harness/measure/session_pool_filling.h"

/** The memory that cold reads rotate through: a block a member, first touched by it. */

/**
 * Make sure each member of a team of `threads` owns at least `bytes` of cold pool. Populated and randomly filled by its
 * owner. -ENOMEM with the amount needed and what there is; nothing is allocated then.
 */
int session_pool(struct session *session, unsigned threads, size_t bytes_per_member, char *why, size_t size);

/**
 * Whether this process may allocate so many bytes more without swapping: a share of what is available is left to
 * others.
 * @param what  "the cold pool of 2 threads", for the reason
 * @return 0, or -ENOMEM with the amounts
 */
int session_memory_fits(uint64_t more_bytes, uint64_t available_bytes, const char *what, char *why, size_t size);

/** Bytes that session_pool of the same arguments would allocate. */
uint64_t session_pool_growth(const struct session *session, unsigned threads, size_t bytes_per_member);

/** Cold pool a team of this size needs per member: 4 times its last-level caches, dealt out. */
size_t session_cold_bytes(const struct session *session, unsigned threads);

/**
 * Fill the pools of a team of `threads` with valid weights of a format for matrices of K columns, each member its own;
 * nothing is written where every bit pattern is a matrix or they hold these already.
 * @return the granule of session_cold_place at which such weights begin, 0 without memory or team
 */
size_t session_pool_fill(struct session *session, unsigned threads, const struct format *format, size_t k);

/**
 * The same with weights of a sequence, in the first `bytes` of each member's pool (0: all that it has).
 * @return the granule, as above
 */
size_t session_pool_fill_sequence(struct session *session, unsigned threads, const struct sequence *sequence,
                                  size_t bytes);

/**
 * Next cold place of `bytes` in the member's pool, never next to the one before.
 * @param granule  the place is a multiple of it away from the beginning of the block: 64 or what filled the pool says
 */
const uint8_t *session_cold_place(struct session *session, unsigned member, unsigned threads, size_t bytes,
                                  size_t granule);

/** The next cold places are those that came first, in the same order; of use where a lap of the pool has passed. */
void session_cold_rewind(struct session *session);

/** How many cold places of `bytes` a member's lap of the pool has, at least 1. */
size_t session_cold_places(const struct session *session, unsigned threads, size_t bytes);

#endif
