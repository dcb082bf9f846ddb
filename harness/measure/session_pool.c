/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/measure/session_pool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "micro/kernel.h"
#include "platforms/system/host.h"

/** Between two cold places: farther than any prefetch runs ahead. After the last: as far as a kernel may read. */
enum { COLD_GAP = 16384, BEHIND = 4096 };
_Static_assert(KERNEL_READS_PAST_MOST <= BEHIND, "a kernel may read past the last place");

/** A cold pool of this many times the caches; where memory is short, of this many at least. */
enum { COLD_CACHES = 4, COLD_CACHES_LEAST = 2 };

/** What a guest that states no cache is taken to have. */
enum { UNSTATED_BYTES = 32 << 20 };

uint64_t session_stated_bytes(const struct session *session)
{
    return session->llc_bytes ? session->llc_bytes : UNSTATED_BYTES;
}

static uint64_t greater(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

uint64_t session_pool_most(const struct session *session)
{
    uint64_t available = session->machine.memory_available_bytes;
    return available ? available / SESSION_POOL_PART : UINT64_MAX;
}

uint64_t session_cold_wanted(const struct session *session)
{
    return greater(COLD_CACHES * session_stated_bytes(session), session->cold_bytes);
}

/** What was found to be cold is not less; of what is only stated the half still is. */
static uint64_t cold_least(const struct session *session)
{
    uint64_t caches = session_stated_bytes(session);
    return session->cold_bytes > COLD_CACHES * caches ? session->cold_bytes : COLD_CACHES_LEAST * caches;
}

size_t session_cold_bytes(const struct session *session, unsigned threads)
{
    uint64_t wanted = session_cold_wanted(session), most = session_pool_most(session);
    return (size_t)((wanted <= most ? wanted : greater(most, cold_least(session))) / threads);
}

void session_pool_clean(struct session *session, unsigned member, unsigned threads)
{
    enum { LINE = 64 };
    struct memory_block *block = &session->pool[member];
    size_t bytes = session_cold_bytes(session, threads) / 2;
    bytes = bytes < block->length ? bytes : block->length;
    for (size_t at = 0; at < bytes; at += LINE)
        (void)*(const volatile unsigned char *)(block->bytes + at);
    session->pool_at[member] = bytes;
}

struct populate {
    struct session *session;
    unsigned threads;
    size_t bytes;
    int error;
};

/** By the member itself: its block is a new one, which holds no weights of what fills it. @return 0 or -ENOMEM */
static int hold_nothing(struct session *session, unsigned member)
{
    struct session_pool_held *held = &session->pool_held[member];
    free(held->chunk);
    *held = (struct session_pool_held){.chunks = session->pool[member].length / SESSION_POOL_CHUNK_BYTES + 1};
    held->chunk = calloc(held->chunks, 1);
    return held->chunk ? 0 : -ENOMEM;
}

static void populate(void *context, unsigned member)
{
    struct populate *job = context;
    struct memory_block *block = &job->session->pool[member];
    if (block->length >= job->bytes)
        return;
    if (memory_grow_random(block, job->bytes, 1 + member) || hold_nothing(job->session, member)) {
        memory_release(block);
        __atomic_store_n(&job->error, -ENOMEM, __ATOMIC_RELAXED);
        return;
    }
    session_pool_clean(job->session, member, job->threads);
}

int session_memory_fits_or(uint64_t more, uint64_t available, const char *what, const char *less, char *why,
                           size_t size)
{
    uint64_t usable = available - available / 8;
    if (available == UINT64_MAX || more <= usable)
        return 0;
    snprintf(why, size,
             "%s needs %.2f GB more memory and %.2f GB may be used; free memory, raise the cgroup limit, or choose %s",
             what, 1e-9 * (double)more, 1e-9 * (double)usable, less);
    return -ENOMEM;
}

int session_memory_fits(uint64_t more, uint64_t available, const char *what, char *why, size_t size)
{
    return session_memory_fits_or(more, available, what, "smaller shapes (--shape) or fewer threads", why, size);
}

int session_no_memory(const char *what, char *why, size_t size)
{
    uint64_t available = host_memory_available("");
    char left[64] = "";
    if (available != UINT64_MAX)
        snprintf(left, sizeof left, " (%.2f GB are available)", 1e-9 * (double)available);
    snprintf(
        why, size,
        "no memory for %s%s; free memory, raise the cgroup limit or `ulimit -v`, or choose smaller shapes (--shape) "
        "or fewer threads",
        what, left);
    return -ENOMEM;
}

const char *session_search_name(enum session_search end)
{
    static const char *const names[] = {"none", "settled", "falls", "time", "memory"};
    return names[end];
}

size_t session_pool_length(size_t bytes)
{
    return bytes + 2 * COLD_GAP;
}

uint64_t session_pool_growth(const struct session *session, unsigned threads, size_t bytes)
{
    uint64_t more = 0;
    for (unsigned i = 0; i < threads; i++) {
        if (session->pool[i].length < session_pool_length(bytes))
            more += session_pool_length(bytes) - session->pool[i].length;
    }
    return more;
}

int session_pool(struct session *session, unsigned threads, size_t bytes, char *why, size_t size)
{
    uint64_t more = session_pool_growth(session, threads, bytes);
    if (!more)
        return 0;
    char what[80];
    snprintf(what, sizeof what, "the cold pool of %u thread%s", threads, threads == 1 ? "" : "s");
    int error = session_memory_fits(more, host_memory_available(""), what, why, size);
    if (error)
        return error;
    struct team *team = session_team(session, threads, why, size);
    if (!team)
        return -EINVAL;
    struct populate job = {.session = session, .threads = threads, .bytes = session_pool_length(bytes)};
    team_run(team, populate, &job);
    if (!job.error)
        return 0;
    for (unsigned i = 0; i < threads; i++)
        memory_release(&session->pool[i]); /* what others found is of no use without the rest */
    snprintf(what, sizeof what, "%.2f GB of the cold pool of %u thread%s", 1e-9 * (double)more, threads,
             threads == 1 ? "" : "s");
    return session_no_memory(what, why, size);
}

/** Where a read lies that comes at a position, or at the beginning if what is left of the lap is too short for it. */
static size_t place_at(const struct session *session, unsigned threads, size_t length, size_t position,
                       const struct session_cold_read *read)
{
    size_t within = session_cold_bytes(session, threads);
    length -= length > BEHIND ? BEHIND : 0;
    if (within < read->bytes + COLD_GAP || within > length)
        within = length;
    size_t at = (position + read->granule - 1) / read->granule * read->granule;
    return at + read->bytes > within ? 0 : at;
}

static size_t position_after(size_t at, size_t bytes)
{
    return (at + bytes + COLD_GAP + 63) / 64 * 64;
}

const uint8_t *session_cold_place(struct session *session, unsigned member, unsigned threads, size_t bytes,
                                  size_t granule)
{
    const struct memory_block *block = &session->pool[member];
    const struct session_cold_read read = {bytes, granule};
    size_t at = place_at(session, threads, block->length, session->pool_at[member], &read);
    session->pool_at[member] = position_after(at, bytes);
    return block->bytes + at;
}

size_t session_cold_copies(const struct session *session, unsigned threads, size_t length,
                           const struct session_cold_read turn[2])
{
    enum { LAPS = 3 }; /* who begins a lap changes from one to the next */
    size_t fewest = SIZE_MAX, places = 0, position = 0;
    for (unsigned laps = 0, i = 0; laps <= LAPS; i++) {
        size_t at = place_at(session, threads, length, position, &turn[i % 2]);
        if (at == 0 && i) {
            fewest = places && places < fewest ? places : fewest;
            places = 0;
            laps++;
        }
        places += i % 2;
        position = position_after(at, turn[i % 2].bytes);
    }
    return fewest == SIZE_MAX ? 1 : fewest;
}

void session_cold_rewind(struct session *session)
{
    memset(session->pool_at, 0, session->threads * sizeof *session->pool_at);
}

size_t session_cold_places(const struct session *session, unsigned threads, size_t bytes)
{
    size_t places = session_cold_bytes(session, threads) / (bytes + COLD_GAP);
    return places ? places : 1;
}
