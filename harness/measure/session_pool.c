/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/measure/session_pool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "micro/kernel.h"
#include "platforms/host.h"

/** Between two cold places: farther than any prefetch runs ahead. Behind the last: as far as a kernel may read. */
enum { COLD_GAP = 16384, BEHIND = 4096 };
_Static_assert(KERNEL_READS_PAST_MOST <= BEHIND, "a kernel may read behind the last place");

size_t session_cold_bytes(const struct session *session, unsigned threads)
{
    uint64_t caches = session->llc_bytes ? session->llc_bytes : 32u << 20, whole = 4 * caches;
    return (size_t)((whole > session->cold_bytes ? whole : session->cold_bytes) / threads);
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

static void populate(void *context, unsigned member)
{
    struct populate *job = context;
    struct memory_block *block = &job->session->pool[member];
    if (block->length >= job->bytes)
        return;
    memory_release(block);
    if (memory_reserve(job->bytes, block)) {
        __atomic_store_n(&job->error, -ENOMEM, __ATOMIC_RELAXED);
        return;
    }
    memory_fill_random(block, 1 + member);
    job->session->pool_filling[member] = (struct session_pool_filling){0};
    session_pool_clean(job->session, member, job->threads);
}

int session_memory_fits(uint64_t more, uint64_t available, const char *what, char *why, size_t size)
{
    uint64_t usable = available - available / 8;
    if (!available || more <= usable)
        return 0;
    snprintf(
        why, size,
        "%s needs %.2f GB more memory and %.2f GB may be used; free memory, raise the cgroup limit, or choose smaller "
        "shapes (--shape) or fewer threads",
        what, 1e-9 * (double)more, 1e-9 * (double)usable);
    return -ENOMEM;
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
    char what[64];
    snprintf(what, sizeof what, "the cold pool of %u thread%s", threads, threads == 1 ? "" : "s");
    int error = session_memory_fits(more, host_memory_available(""), what, why, size);
    if (error)
        return error;
    struct team *team = session_team(session, threads, why, size);
    if (!team)
        return -EINVAL;
    struct populate job = {.session = session, .threads = threads, .bytes = session_pool_length(bytes)};
    team_run(team, populate, &job);
    if (job.error)
        snprintf(why, size, "the kernel refused %.2f GB for the cold pool; raise `ulimit -v` or free memory",
                 1e-9 * (double)more);
    return job.error;
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
