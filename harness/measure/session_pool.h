/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

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
 * Whether this process may allocate this many bytes more without swapping: an eighth of what is available is left to
 * others.
 * @param available_bytes  as host_memory_available
 * @param what             "the cold pool of 2 threads", for the reason
 * @return 0, or -ENOMEM with the amounts
 */
int session_memory_fits(uint64_t more_bytes, uint64_t available_bytes, const char *what, char *why, size_t size);

/** The same, of what takes less with something else: "a smaller model or fewer positions (--context)". */
int session_memory_fits_or(uint64_t more_bytes, uint64_t available_bytes, const char *what, const char *less, char *why,
                           size_t size);

/** Of an allocation that failed, one line that names what it was for, what is available and what helps. @return -ENOMEM */
int session_no_memory(const char *what, char *why, size_t size);

/** Bytes that session_pool of the same arguments would allocate. */
uint64_t session_pool_growth(const struct session *session, unsigned threads, size_t bytes_per_member);

/**
 * Pools are as large as caches are, not as what is measured: of the memory that was available when the session was opened they
 * take no more than this part, so that two processes that start together both find room. UINT64_MAX if that is not known.
 */
enum { SESSION_POOL_PART = 3 };
uint64_t session_pool_most(const struct session *session);

/** Last-level caches that the machine states, or what one is taken to have that states none. */
uint64_t session_stated_bytes(const struct session *session);

/** A cold pool of all members: 4 times the last-level caches, or what was found to be cold if that is more. */
uint64_t session_cold_wanted(const struct session *session);

/**
 * Cold pool a team of this size has per member: what is wanted, dealt out. Where memory is short it is cut to
 * session_pool_most, but not below twice the caches that are stated, or what was found to be cold: without memory for these
 * session_pool refuses.
 */
size_t session_cold_bytes(const struct session *session, unsigned threads);

/**
 * By the member itself, after it wrote to its block: read so much of it from its beginning that the caches have written
 * back what they held of it. A line that is dirty costs a write when another takes its place, so the reads of up to a
 * whole cache after a refill would share the memory with as many writes. Half of a cold pool is twice what the caches
 * hold, which is enough where the oldest line is not the first to go, and reading it takes a fraction of the writing. The
 * next cold place follows what was read.
 */
void session_pool_clean(struct session *session, unsigned member, unsigned threads);

/**
 * Let the pools of a team of `threads` hold valid weights of a format for matrices of K columns, each member's own, as far
 * as they are needed; nothing is written where every bit pattern is a matrix or they hold these already.
 * @return the granule of session_cold_weights at which such weights begin, 0 without memory or team
 */
size_t session_pool_fill(struct session *session, unsigned threads, const struct format *format, size_t k,
                         struct session_pool_need need);

/**
 * The same of a format of a plug-in: its fill() is called by a worker, and what that drew is copied.
 * @param stop  ends it some time after it is set; NULL: never
 * @return 0; -EINVAL without team, -ENOMEM; -EILSEQ fill() ended its process, crashed or hung; -EINTR stopped; with one line in why
 */
enum { SESSION_POOL_FILL_LIMIT_MS = 10000 };
int session_pool_fill_apart(struct session *session, unsigned threads, const struct format *format, size_t k,
                            struct session_pool_need need, const volatile int *stop, char *why, size_t size);

/** The same with weights of a sequence. @return the granule, as above */
size_t session_pool_fill_sequence(struct session *session, unsigned threads, const struct sequence *sequence,
                                  struct session_pool_need need);

/**
 * Next cold place of `bytes` in the member's pool, never next to the one before.
 * @param granule  the place is a multiple of it away from the beginning of the block: 64 or what filled the pool says
 */
const uint8_t *session_cold_place(struct session *session, unsigned member, unsigned threads, size_t bytes,
                                  size_t granule);

/**
 * The same, by the member itself, where it holds the weights that the pool was filled with last, which are written there
 * now if need be: past the caches, so the place is cold.
 */
const uint8_t *session_cold_weights(struct session *session, unsigned member, unsigned threads, size_t bytes,
                                    size_t granule);

/** Write them, if need be, to the place that comes next, before something else is timed: then no write is just before its read. */
void session_cold_weights_ahead(struct session *session, unsigned member, unsigned threads, size_t bytes,
                                size_t granule);

/** The next cold places are those that came first, in the same order; of use where a lap of the pool has passed. */
void session_cold_rewind(struct session *session);

/** How many cold places of `bytes` a member's lap of the pool has, at least 1. */
size_t session_cold_places(const struct session *session, unsigned threads, size_t bytes);

/** Reads of which one is at a time: this many bytes, at a place that is a multiple of granule away from the beginning. */
struct session_cold_read {
    size_t bytes, granule;
};

/**
 * How many places of their own the second of two reads that take turns has in a lap of the member's pool, at least 1: so
 * many copies of what it reads are used before one is read again.
 * @param length  of the member's block, as it is or would be
 */
size_t session_cold_copies(const struct session *session, unsigned threads, size_t length,
                           const struct session_cold_read turn[2]);

/** "none", "settled", "falls", "time", "memory". */
const char *session_search_name(enum session_search end);

/** Length of the block of a member that session_pool makes of this many bytes: with the gaps around them. */
size_t session_pool_length(size_t bytes_per_member);
