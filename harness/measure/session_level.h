/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "harness/measure/session.h"

/** The levels of the memory, and the read roof of each by team size. */

/**
 * Memory level that holds `bytes` which each core of a team reads again and again: "L1", "L2", "L3" or "memory". It is
 * that of the core whose caches hold least, after those of the team that share a cache have dealt it out.
 */
const char *session_level_of(const struct session *session, size_t bytes_per_core, unsigned threads);

/** "memory", "L3", "L2", "L1": deepest first. */
enum { SESSION_LEVELS = 4 };
extern const char *const session_levels[SESSION_LEVELS];

/** Whether there is such a level here: memory, and the caches that the topology knows. */
bool session_has_level(const struct session *session, const char *level);

/** The roof of a level and team size; not chosen if it was not looked for yet. */
const struct session_roof *session_roof(const struct session *session, const char *level, unsigned threads);
/** One line that says why there is no level: no sample of any read stream was kept, for which causes, and the remedy. */
void session_roof_missing(const struct session *session, const char *level, unsigned threads, char *why, size_t size);
void session_set_roof(struct session *session, const char *level, unsigned threads, const struct session_roof *roof);

/**
 * Bytes that each core of a team reads again and again so that they come from this cache: half of its share of L1 or of
 * L2. For L3 three times that of L2, so that little of it is still there from the pass before, or what the cores that
 * share an L3 find room for in half of it, beside their L2. A multiple of SESSION_STREAM_UNIT.
 */
size_t session_cache_bytes(const struct session *session, const char *level, unsigned threads);
