/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/measure/session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "platforms/clock.h"
#include "platforms/host.h"

/** Between two cold places: farther than any prefetch runs ahead. */
enum { COLD_GAP = 16384 };

static const double CALIBRATION_S = 0.05;

static uint64_t seed_from_clock(void)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return (uint64_t)time.tv_nsec * 0x9e3779b97f4a7c15u ^ (uint64_t)time.tv_sec;
}

static void read_caches(struct session *session)
{
    struct topology_cache caches[8];
    size_t count = topology_caches(session->machine.topology, caches, 8);
    for (size_t i = 0; i < count; i++) {
        if (caches[i].level >= 1 && caches[i].level <= 3)
            session->level_bytes[caches[i].level] = caches[i].bytes;
    }
}

static int read_machine(struct session *session, const struct session_request *request, char *why, size_t size)
{
    int error = machine_open(&session->machine, why, size);
    if (error)
        return error;
    int threads =
        topology_plan_team(session->machine.topology, &request->team, session->cpus, SESSION_CPUS_MAX, why, size);
    if (threads < 0)
        return threads;
    session->threads = (unsigned)threads;

    const struct topology_core *cores[SESSION_CPUS_MAX];
    for (unsigned i = 0; i < session->threads; i++)
        cores[i] = topology_core_of_cpu(session->machine.topology, session->cpus[i]);
    session->llc_bytes = topology_llc_bytes(session->machine.topology, cores, session->threads);
    read_caches(session);
    return 0;
}

int session_open(const struct session_request *request, struct session **result, char *why, size_t size)
{
    struct session *session = calloc(1, sizeof *session);
    if (!session) {
        snprintf(why, size, "no memory");
        return -ENOMEM;
    }
    int error = read_machine(session, request, why, size);
    if (!error)
        error = session_add_plugins(session, &request->plugins, why, size);
    if (!error) {
        session->pool = calloc(session->threads, sizeof *session->pool);
        session->pool_at = calloc(session->threads, sizeof *session->pool_at);
        session->pool_filling = calloc(session->threads, sizeof *session->pool_filling);
        if (!session->pool || !session->pool_at || !session->pool_filling) {
            snprintf(why, size, "no memory");
            error = -ENOMEM;
        }
    }
    if (!error)
        error = instruments_open(&request->instruments, session->cpus[0], tsc_calibrate_hz(CALIBRATION_S),
                                 &session->instruments, why, size);
    if (error) {
        session_close(session);
        return error;
    }
    session->random = request->seed ? request->seed : seed_from_clock() | 1;
    session->issue_width = clock_issue_width(session->instruments.tsc_hz);
    *result = session;
    return 0;
}

void session_close(struct session *session)
{
    if (!session)
        return;
    team_destroy(session->team);
    for (unsigned i = 0; session->pool && i < session->threads; i++)
        memory_release(&session->pool[i]);
    free(session->pool);
    free(session->pool_at);
    free(session->pool_filling);
    plugins_close(&session->plugins);
    instruments_close(&session->instruments);
    if (session->machine.topology)
        machine_close(&session->machine);
    free(session);
}

int session_add_plugins(struct session *session, const struct plugins_request *request, char *why, size_t size)
{
    return plugins_add(&session->plugins, request, session->machine.features, why, size);
}

bool session_runs(const struct session *session, const char *isa)
{
    const struct isa *row = isa_find(isa);
    return row && isa_runs(row, session->machine.features);
}

struct team *session_team(struct session *session, unsigned threads, char *why, size_t size)
{
    return session_team_from(session, 0, threads, why, size);
}

struct team *session_team_from(struct session *session, unsigned first, unsigned threads, char *why, size_t size)
{
    const unsigned *cpus = &session->cpus[first];
    if (session->team && team_threads(session->team) == threads && team_cpus(session->team)[0] == cpus[0])
        return session->team;
    team_destroy(session->team);
    session->team = NULL;
    return team_create(session->machine.topology, cpus, threads, &session->team, why, size) ? NULL : session->team;
}

static enum core_kind kind_of(const struct session *session, unsigned member)
{
    return topology_core_of_cpu(session->machine.topology, session->cpus[member])->kind;
}

bool session_leads_kind(const struct session *session, unsigned member)
{
    for (unsigned former = 0; former < member; former++) {
        if (kind_of(session, former) == kind_of(session, member))
            return false;
    }
    return true;
}

void session_dissolve_team(struct session *session)
{
    team_destroy(session->team);
    session->team = NULL;
}

size_t session_cold_bytes(const struct session *session, unsigned threads)
{
    uint64_t caches = session->llc_bytes ? session->llc_bytes : 32u << 20;
    return (size_t)(4 * caches / threads);
}

struct populate {
    struct session *session;
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
    job->session->pool_at[member] = 0;
    job->session->pool_filling[member] = (struct session_pool_filling){0};
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

/** Length of a member's block that has room for bytes and the gaps around them. */
static size_t block_length(size_t bytes)
{
    return bytes + 2 * COLD_GAP;
}

uint64_t session_pool_growth(const struct session *session, unsigned threads, size_t bytes)
{
    uint64_t more = 0;
    for (unsigned i = 0; i < threads; i++) {
        if (session->pool[i].length < block_length(bytes))
            more += block_length(bytes) - session->pool[i].length;
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
    struct populate job = {.session = session, .bytes = block_length(bytes)};
    team_run(team, populate, &job);
    if (job.error)
        snprintf(why, size, "the kernel refused %.2f GB for the cold pool; raise `ulimit -v` or free memory",
                 1e-9 * (double)more);
    return job.error;
}

const uint8_t *session_cold_place(struct session *session, unsigned member, unsigned threads, size_t bytes,
                                  size_t granule)
{
    const struct memory_block *block = &session->pool[member];
    size_t within = session_cold_bytes(session, threads);
    if (within < bytes + COLD_GAP || within > block->length)
        within = block->length;
    size_t at = (session->pool_at[member] + granule - 1) / granule * granule;
    if (at + bytes > within)
        at = 0;
    session->pool_at[member] = (at + bytes + COLD_GAP + 63) / 64 * 64;
    return block->bytes + at;
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

const char *session_level_of(const struct session *session, size_t bytes)
{
    /* half of L1 and three quarters of L2 stay resident beside activations and code; L3 is shared by the cores */
    if (session->level_bytes[1] && bytes <= session->level_bytes[1] / 2)
        return "L1";
    if (session->level_bytes[2] && bytes <= session->level_bytes[2] / 4 * 3)
        return "L2";
    if (session->level_bytes[3] && bytes * session->threads <= session->level_bytes[3] / 2)
        return "L3";
    return "memory";
}

/** Most members of a team that share a last-level cache. */
static unsigned most_on_one_llc(const struct session *session, unsigned threads)
{
    unsigned most = 1;
    if (!session->machine.topology)
        return threads;
    for (unsigned i = 0; i < threads; i++) {
        const struct topology_core *own = topology_core_of_cpu(session->machine.topology, session->cpus[i]);
        unsigned count = 0;
        for (unsigned j = 0; own && j < threads; j++) {
            const struct topology_core *other = topology_core_of_cpu(session->machine.topology, session->cpus[j]);
            count += other && other->llc == own->llc;
        }
        most = count > most ? count : most;
    }
    return most;
}

size_t session_cache_bytes(const struct session *session, const char *level, unsigned threads)
{
    int index = level[1] - '0';
    uint64_t bytes = session->level_bytes[index] / 2;
    if (index == 3) {
        uint64_t l2 = session->level_bytes[2], share = session->level_bytes[3] / most_on_one_llc(session, threads);
        bytes = l2 && 3 * l2 < l2 + share / 2 ? 3 * l2 : l2 + share / 2;
    }
    return bytes < SESSION_STREAM_UNIT ? SESSION_STREAM_UNIT : bytes / SESSION_STREAM_UNIT * SESSION_STREAM_UNIT;
}

const char *const session_levels[SESSION_LEVELS] = {"memory", "L3", "L2", "L1"};

bool session_has_level(const struct session *session, const char *level)
{
    return level[0] != 'L' || session->level_bytes[level[1] - '0'];
}

const struct session_roof *session_roof(const struct session *session, const char *level, unsigned threads)
{
    return level[0] == 'L' ? &session->cache_roof[level[1] - '0'][threads] : &session->roof[threads];
}

void session_set_roof(struct session *session, const char *level, unsigned threads, const struct session_roof *roof)
{
    if (level[0] == 'L')
        session->cache_roof[level[1] - '0'][threads] = *roof;
    else
        session->roof[threads] = *roof;
}

static size_t spread_stride(size_t each)
{
    enum { PAGE = 4096 };
    return ((each + PAGE - 1) / PAGE | 1) * PAGE;
}

size_t session_stream_span(const struct session_stream *stream, size_t bytes)
{
    return stream->variant->streams * spread_stride(bytes / stream->variant->streams);
}

void session_stream_read(const struct session_stream *stream, const uint8_t *place, size_t bytes, bool spread)
{
    size_t each = bytes / stream->variant->streams;
    stream->variant->read(place, each, spread ? spread_stride(each) : each, stream->prefetch_bytes);
}

void session_stream_label(const struct session_stream *stream, char *label, size_t size)
{
    int length =
        snprintf(label, size, "%s.s%u.r%u", stream->stream->name, stream->variant->streams, stream->variant->run_bytes);
    if (stream->variant->hint && length > 0 && (size_t)length < size)
        snprintf(label + length, size - (size_t)length, ".%s+%zu",
                 stream_hint_name((enum stream_hint)stream->variant->hint), stream->prefetch_bytes);
}

unsigned session_stream_id(const struct session_stream *stream)
{
    char label[80];
    session_stream_label(stream, label, sizeof label);
    uint32_t hash = 0x811c9dc5;
    for (const char *at = label; *at; at++)
        hash = (hash ^ (unsigned char)*at) * 0x01000193;
    return hash & 0x7fffffff;
}

uint64_t session_random(struct session *session)
{
    uint64_t x = session->random;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    session->random = x;
    return x * 0x2545f4914f6cdd1du;
}
