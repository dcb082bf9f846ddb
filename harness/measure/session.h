/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_MEASURE_SESSION_H
#define HARNESS_MEASURE_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/measure/instruments.h"
#include "platforms/machine.h"
#include "harness/plugin/plugins.h"
#include "harness/team/team.h"
#include "micro/kernel.h"
#include "micro/sequence.h"
#include "micro/stream.h"
#include "platforms/memory.h"

/**
 * All that measuring needs of the machine: what it is, which CPUs to use, a team per size, the cold pool.
 *
 * Errors: 0 or negative errno with one line in why.
 */
enum { SESSION_CPUS_MAX = INSTRUMENTS_MEMBERS_MAX, SESSION_WHY = 512 };

/** What the user asked for. */
struct session_request {
    struct team_request team; /* threads 0: every core */
    uint64_t seed;            /* order of the cells and random data; 0: from the clock */
    struct instruments_request instruments;
    struct plugins_request plugins;
};

/** A read stream as it was run: its label is "<name>.s<places>.r<run>[.<hint>+<distance>]". */
struct session_stream {
    const struct stream *stream;
    const struct stream_variant *variant;
    size_t prefetch_bytes;
};

/**
 * The read streams that compete for the roof of a team size, fastest first. Which of them reads most changes with the
 * size of the matrix and with the neighbours, so a cold GEMV is held against each in turn.
 */
enum { SESSION_ROOF_STREAMS = 3 };
struct session_roof {
    struct session_stream streams[SESSION_ROOF_STREAMS];
    unsigned count;     /* 0: not measured yet */
    double bytes_per_s; /* median, for plausibility and prediction */
    double bytes_per_cycle_per_core;
};

/**
 * What the first `bytes` of a member's block of the pool hold: units of a format, or weights of a sequence, or random
 * bytes if both are NULL.
 */
struct session_pool_filling {
    const struct format *format;
    size_t k; /* of the panels of a format that is not uniform */
    const struct sequence *sequence;
    size_t bytes;
};

struct session {
    struct machine machine;
    struct plugins plugins; /* their kernels, formats and sequences are in the registry while the session is open */
    struct instruments instruments;
    double issue_width;      /* uops a cycle the front end of the first core issues */
    uint64_t llc_bytes;      /* sum of the last-level caches the widest team reaches */
    uint64_t level_bytes[4]; /* data cache of one core by level, [1] L1 …; 0 unknown */
    unsigned cpus[SESSION_CPUS_MAX];
    unsigned threads; /* of the widest team */
    uint64_t random;  /* state of session_random */

    struct team *team; /* the one that runs now, team_threads() wide; NULL at first */

    /* cold pool: one block a member, first touched by it */
    struct memory_block *pool;                 /* [threads] */
    size_t *pool_at;                           /* [threads] rotating position: the next cold read begins here */
    struct session_pool_filling *pool_filling; /* [threads] */

    struct session_roof roof[SESSION_CPUS_MAX + 1];          /* of memory, by team size */
    struct session_roof cache_roof[4][SESSION_CPUS_MAX + 1]; /* of [1] L1 …, by team size */
};

int session_open(const struct session_request *request, struct session **session, char *why, size_t size);
void session_close(struct session *session);

/** Add plug-ins to an open session that has no team yet. */
int session_add_plugins(struct session *session, const struct plugins_request *request, char *why, size_t size);

/** Whether code of this ISA row runs here. */
bool session_runs(const struct session *session, const char *isa);

/** A team of this size, made on demand; the former one is dissolved. NULL with a reason. */
struct team *session_team(struct session *session, unsigned threads, char *why, size_t size);

/** Dissolve the team that runs now, so that this process may run, and start others, on every CPU again. */
void session_dissolve_team(struct session *session);

/** The same with another first member: member `first` of the widest team and those behind it. */
struct team *session_team_from(struct session *session, unsigned first, unsigned threads, char *why, size_t size);

/** Whether a member of the widest team is the first on its kind of core. */
bool session_leads_kind(const struct session *session, unsigned member);

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
size_t session_pool_fill_sequence(struct session *session, unsigned threads, const struct sequence *sequence, size_t bytes);

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

/** Memory level that holds `bytes` a core reads again and again: "L1", "L2", "L3" or "memory". */
const char *session_level_of(const struct session *session, size_t bytes_per_core);

/** "memory", "L3", "L2", "L1": deepest first. */
enum { SESSION_LEVELS = 4 };
extern const char *const session_levels[SESSION_LEVELS];

/** Whether there is such a level here: memory, and the caches that the topology knows. */
bool session_has_level(const struct session *session, const char *level);

/** The roof of a level and team size; its count is 0 if it was not measured yet. */
const struct session_roof *session_roof(const struct session *session, const char *level, unsigned threads);
void session_set_roof(struct session *session, const char *level, unsigned threads, const struct session_roof *roof);

/** What a stream reads is a multiple of this: whole runs of any number of places. */
enum { SESSION_STREAM_UNIT = 6144 };

/** Bytes from the first to behind the last that a read of `bytes` touches: the places lie an odd number of pages apart.
 */
size_t session_stream_span(const struct session_stream *stream, size_t bytes);

/**
 * Bytes that each core of a team reads again and again so that they come from this cache: half of L1 or of L2. For L3
 * three times the L2, so that little of it is still there from the pass before, or what the cores that share an L3 find
 * room for in half of it, beside their L2. A multiple of SESSION_STREAM_UNIT.
 */
size_t session_cache_bytes(const struct session *session, const char *level, unsigned threads);

/**
 * Read `bytes` (a multiple of SESSION_STREAM_UNIT) at a place of session_stream_span bytes. Spread: the streams' places
 * lie an odd number of pages apart, since places a power of two apart share sets and banks; else one behind the other.
 */
void session_stream_read(const struct session_stream *stream, const uint8_t *place, size_t bytes, bool spread);

/** Label of a stream. */
void session_stream_label(const struct session_stream *stream, char *label, size_t size);

/** Number that stands for the label in samples: the same in every run. */
unsigned session_stream_id(const struct session_stream *stream);

/** xorshift64*. */
uint64_t session_random(struct session *session);

#endif
