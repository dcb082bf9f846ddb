/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Latency of the levels of the memory, idle and under load. The chase lies in memory of its own, on huge pages where
 * there are any, written and first touched by the member that chases: of a cache as much as its beta is read from, of
 * memory as much as a cold pool, and a lap of the pool is read after it was written, so that nothing of it is in a
 * cache. A cycle through more lines than a cache holds finds none of them there, since each is older than all others. Where
 * a pool is gigabytes, the cycle goes through some lines of all of it, since to link them takes seconds a visit; before
 * it comes to a line again, a lap of the pool is read once more.
 *
 * Under load samples come in twos, so that both have a fixed amount of work: first the readers read a fixed number of lines while
 * the chase goes on, which says what they attain, then the chase makes a fixed number of hops while they read.
 */
#include "harness/cells/latency/latency.h"

#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/fields.h"
#include "harness/cells/cell/roof_paired.h"
#include "harness/measure/session_level.h"
#include "harness/measure/session_pool.h"
#include "micro/chase.h"
#include "platforms/system/host.h"

/* ---- which cells ---- */

/** Hops of a sample, that it lasts 0.1 to 0.4 ms: the start does not show, and seldom a tick of the timer falls into it. */
static unsigned hops_of(const char *level)
{
    static const unsigned of_cache[] = {0, 1 << 16, 1 << 15, 1 << 13};
    return level[0] == 'L' ? of_cache[level[1] - '0'] : 1 << 11;
}

/** Of a cache what is read of it for beta, of memory a cold pool. */
static size_t bytes_of(const struct session *session, const char *level)
{
    size_t bytes = level[0] == 'L' ? session_cache_bytes(session, level, 1) : session_cold_bytes(session, 1);
    return bytes / CHASE_LINE * CHASE_LINE;
}

/** To touch gigabytes and read a lap of them takes seconds, a sample less than a millisecond: one visit takes many samples, and comes late. */
static bool is_large(const struct latency_cell *own)
{
    return own->bytes >= (size_t)1 << 30;
}

/** Lines of a cycle at most: more hops than a visit goes, and all lines of a cold pool where caches have up to 32 MiB. */
enum { CYCLE_LINES_MOST = 1 << 21 };

/** Lines of the cycle through a block, one of each *apart. */
static size_t cycle_lines(size_t bytes, size_t *apart)
{
    size_t lines = bytes / CHASE_LINE;
    *apart = (lines + CYCLE_LINES_MOST - 1) / CYCLE_LINES_MOST;
    return *apart > 1 ? lines / *apart : lines;
}

static struct cell *add(struct cells *cells, const struct session *session, const char *level, unsigned threads)
{
    struct cell *cell = cells_add(cells, &cell_kind_latency);
    if (!cell)
        return NULL;
    *latency_cell(cell) =
        (struct latency_cell){.level = level, .bytes = bytes_of(session, level), .huge_fraction = NAN};
    cell->threads = threads;
    cell->cold = strcmp(level, "memory") == 0;
    cell->repeats = hops_of(level);
    snprintf(cell->name, sizeof cell->name, "latency/%s/t%u/idle", level, threads);
    return cell;
}

int latency_add(struct cells *cells, const struct session *session, const char *level)
{
    return add(cells, session, level, 1) ? 0 : -ENOMEM;
}

/** Lines that a reader reads in a sample, that it lasts about as long as that of a chase: half a million cycles. */
static size_t lines_of(unsigned pause)
{
    return 500000 / (8 + pause);
}

int latency_add_loaded(struct cells *cells, const struct session *session, unsigned threads)
{
    static const unsigned pauses[] = {0, 8, 12, 16, 24, 32, 64, 256};
    if (threads < 2)
        return -EINVAL;
    for (size_t i = 0; i < sizeof pauses / sizeof *pauses; i++) {
        struct cell *cell = add(cells, session, "memory", threads);
        if (!cell)
            return -ENOMEM;
        latency_cell(cell)->loaded = true;
        latency_cell(cell)->pause = pauses[i];
        cell->beside_roof = true;
        cell->roof_bytes = lines_of(pauses[i]) * CHASE_LINE * (threads - 1);
        snprintf(cell->name, sizeof cell->name, "latency/memory/t%u/pause%u", threads, pauses[i]);
    }
    return 0;
}

/* ---- taking samples ---- */

/** Where a reader is in its own pool. */
struct reader {
    _Alignas(64) const uint8_t *bytes;
    size_t length, at;
};

struct job {
    struct session *session;
    struct cell *cell;
    struct latency_cell *own;
    struct memory_block block;
    uint32_t *next;
    uint64_t seed;
    size_t lines, apart; /* of the cycle; one of this many lines of the block */
    const void *place;   /* where the chase is */
    size_t hops;         /* since nothing of it was in a cache */
    struct reader *reader;
    int error;                     /* of the member that chases, which found no memory */
    _Alignas(64) atomic_uint done; /* members that are, of this sample */
};

/** Lines that a reader reads, and hops that the chase goes, between two looks at whether the others are done. */
enum { LINES_A_LOOK = 8, PREFETCH_LINES = 16 };

static void read_lines(struct reader *reader, size_t lines, unsigned pause)
{
    for (size_t i = 0; i < lines; i++) {
        const uint8_t *line = reader->bytes + reader->at;
        __builtin_prefetch(line + PREFETCH_LINES * CHASE_LINE, 0, 2);
        (void)*(const volatile uint64_t *)line;
        for (unsigned turn = pause; turn; turn--)
            __asm__ volatile("" : "+r"(turn));
        reader->at = reader->at + CHASE_LINE < reader->length ? reader->at + CHASE_LINE : 0;
    }
}

static bool is_load(const struct job *job, unsigned sample)
{
    return job->own->loaded && sample % 2 == 0;
}

static void walk(struct job *job, size_t hops)
{
    job->place = chase_walk(job->place, hops);
    job->hops += hops;
}

/** A lap of the pool, after which nothing else is in a cache. */
static void read_lap(struct job *job)
{
    struct reader lap = {job->session->pool[0].bytes, job->session->pool[0].length / CHASE_LINE * CHASE_LINE, 0};
    read_lines(&lap, lap.length / CHASE_LINE, 0);
    job->hops = 0;
}

/** Whether a sample would come to lines that this visit has read. */
static bool comes_around(const struct job *job)
{
    return job->apart > 1 && job->hops + 2 * job->cell->repeats > job->lines;
}

/** Before a sample: no member is done, and what fits near the core is there again, or what does not is not. */
static void begin(void *context, unsigned member, unsigned sample)
{
    (void)sample;
    struct job *job = context;
    if (member)
        return;
    atomic_store_explicit(&job->done, 0, memory_order_relaxed);
    if (!job->cell->cold && job->lines <= job->cell->repeats)
        walk(job, job->cell->repeats);
    if (job->cell->cold && comes_around(job))
        read_lap(job);
}

/** The readers read this many lines, and the chase goes on until all have. */
static void run_load(struct job *job, unsigned member)
{
    if (member) {
        read_lines(&job->reader[member], lines_of(job->own->pause), job->own->pause);
        atomic_fetch_add_explicit(&job->done, 1, memory_order_release);
        return;
    }
    while (atomic_load_explicit(&job->done, memory_order_acquire) != job->cell->threads - 1)
        walk(job, CHASE_STEP);
}

/** The chase goes this many hops, and the readers read until it has. */
static void run_chase(struct job *job, unsigned member)
{
    if (!member) {
        walk(job, job->cell->repeats);
        atomic_store_explicit(&job->done, 1, memory_order_release);
        return;
    }
    while (!atomic_load_explicit(&job->done, memory_order_acquire))
        read_lines(&job->reader[member], LINES_A_LOOK, job->own->pause);
}

static void run(void *context, unsigned member, unsigned sample)
{
    struct job *job = context;
    if (is_load(job, sample))
        run_load(job, member);
    else
        run_chase(job, member);
}

/** By the member that chases: it is the first to touch its lines. */
static void link_lines(void *context, unsigned member)
{
    struct job *job = context;
    if (member)
        return;
    job->error = memory_populate(&job->block, 0, job->block.length, NULL);
    if (job->error)
        return;
    job->place = chase_link(job->block.bytes, job->lines, job->apart, job->next, job->seed);
    if (job->cell->cold)
        read_lap(job);
    else
        walk(job, 2 * job->lines / CHASE_STEP * CHASE_STEP);
}

static void choose_places(struct job *job)
{
    for (unsigned t = 0; t < job->cell->threads; t++) {
        size_t lines = job->session->pool[t].length / CHASE_LINE;
        size_t first = lines ? session_random(job->session) % lines : 0;
        job->reader[t] = (struct reader){job->session->pool[t].bytes, lines * CHASE_LINE, first * CHASE_LINE};
    }
}

/** Memory and team; *job is to be ended whatever is returned. */
static int begin_job(struct job *job)
{
    struct session *session = job->session;
    struct cell *cell = job->cell;
    if (!cell->samples.count)
        job->own->bytes = bytes_of(session, job->own->level); /* how much memory is cold may be known by now */
    job->lines = cycle_lines(job->own->bytes, &job->apart);
    int error = cell->cold ? session_pool(session, cell->threads, session_cold_bytes(session, cell->threads), cell->why,
                                          sizeof cell->why)
                           : 0;
    if (!error)
        error = session_memory_fits(job->own->bytes + job->lines * sizeof *job->next, host_memory_available(""),
                                    "a pointer chase", cell->why, sizeof cell->why);
    if (error)
        return error;
    struct team *team = session_team(session, cell->threads, cell->why, sizeof cell->why);
    if (!team)
        return -EINVAL;
    job->next = calloc(job->lines, sizeof *job->next);
    job->reader = aligned_alloc(64, cell->threads * sizeof *job->reader);
    if (!job->next || !job->reader || memory_reserve(job->own->bytes, &job->block))
        return -ENOMEM;
    job->seed = session_random(session);
    choose_places(job);
    team_run(team, link_lines, job);
    if (job->error)
        return job->error;
    if (isnan(job->own->huge_fraction))
        job->own->huge_fraction = memory_huge_fraction(&job->block);
    return 0;
}

static void end_job(struct job *job)
{
    if (job->block.bytes)
        memory_release(&job->block);
    free(job->next);
    free(job->reader);
}

static unsigned samples_of(const struct latency_cell *own, unsigned count)
{
    enum { LEAST = 24 };
    return is_large(own) && count < LEAST ? LEAST : count;
}

static int visit(struct session *session, struct cell *cell, unsigned count)
{
    struct job job = {.session = session, .cell = cell, .own = latency_cell(cell)};
    count = samples_of(job.own, count);
    unsigned total = job.own->loaded ? 2 * count : count;
    struct sample *samples = calloc(total, sizeof *samples);
    int error = samples ? begin_job(&job) : -ENOMEM;
    if (!error) {
        struct sampler_work work = {.context = &job, .region = cell->name, .before = begin, .run = run};
        error = sampler_take(session->team, &session->instruments, &work, samples, total);
    }
    for (unsigned i = 0; !error && i < total; i++)
        error = samples_append(is_load(&job, i) ? &cell->roof : &cell->samples, &samples[i], 1);
    end_job(&job);
    free(samples);
    return error;
}

static size_t kept(const struct cell *cell)
{
    size_t chases = summary_time(cell).summary.n,
           loads = latency_cell(cell)->loaded ? latency_load(cell).summary.n : chases;
    return chases < loads ? chases : loads;
}

static enum cell_value value(const struct planning *planning, const struct cell *cell)
{
    (void)planning;
    return latency_cell(cell)->loaded || is_large(latency_cell(cell)) ? CELL_STREAMS : CELL_CACHES;
}

/** A chain is laid out anew in each visit: its memory is touched, its lines are linked, and a lap of the pool is read. */
static struct cell_cost cost(const struct session *session, const struct cell *cell)
{
    static const double TOUCH_S = 2.5e-10, LINK_S = 6e-8, READ_S = 1e-10, HOP_S = 2e-7;
    size_t bytes = latency_cell(cell)->bytes, apart, lines = cycle_lines(bytes, &apart);
    double lap_s = cell->cold ? READ_S * (double)session_cold_bytes(session, 1) : HOP_S / 4 * (double)lines;
    return (struct cell_cost){.visit_s = 1e-3 + TOUCH_S * (double)bytes + LINK_S * (double)lines + lap_s,
                              .sample_s = 1e-4 + HOP_S * cell->repeats};
}

/* ---- what they say ---- */

struct graded latency_cycles(const struct cell *cell)
{
    return summary_cycles_per(cell, 1);
}

struct graded latency_load(const struct cell *cell)
{
    return roof_paired_bandwidth(cell);
}

static json_t *record_of(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    (void)cells;
    const struct latency_cell *own = latency_cell(cell);
    char name[64];
    snprintf(name, sizeof name, "%s/%s", own->level, strrchr(cell->name, '/') + 1);
    json_t *record = json_pack("{s:s, s:s, s:s, s:i, s:o, s:i, s:I}", "type", "latency", "name", name, "level",
                               own->level, "threads", (int)cell->threads, "cpus", field_cpus(session, cell->threads),
                               "readers", own->loaded ? (int)cell->threads - 1 : 0, "bytes", (json_int_t)own->bytes);
    field_set(record, "pause", own->loaded ? json_integer(own->pause) : json_null());
    field_set_number(record, "huge_fraction", own->huge_fraction);
    field_set_quantity(record, "latency_s", summary_time(cell), "s");
    field_set_quantity(record, "latency_cycles", latency_cycles(cell), "cycles");
    if (own->loaded)
        field_set_quantity(record, "load_bytes_per_s", latency_load(cell), "B/s");
    else
        field_set(record, "load_bytes_per_s", json_null());
    field_set_counters(record, cell);
    return record;
}

static void describe(const struct cell *cell, json_t *record)
{
    field_set_number(record, "huge_fraction", latency_cell(cell)->huge_fraction);
}

static void restore(struct cell *cell, const json_t *record)
{
    const json_t *fraction = json_object_get(record, "huge_fraction");
    latency_cell(cell)->huge_fraction = json_is_number(fraction) ? json_number_value(fraction) : NAN;
}

/** Every level alone, and memory beside the widest team: two seconds. */
static int plan(struct cells *cells, const struct planning *planning)
{
    int error = 0;
    for (size_t level = 0; !error && level < SESSION_LEVELS; level++) {
        if (session_has_level(planning->session, session_levels[level]))
            error = latency_add(cells, planning->session, session_levels[level]);
    }
    unsigned widest = planning->teams ? planning->sizes[planning->teams - 1] : 1;
    return error || widest < 2 ? error : latency_add_loaded(cells, planning->session, widest);
}

const struct cell_kind cell_kind_latency = {
    .name = "latency",
    .never_compared = true,
    .own = sizeof(struct latency_cell),
    .plan = plan,
    .visit = visit,
    .kept = kept,
    .rank = 45,
    .value = value,
    .cost = cost,
    .record = record_of,
    .describe = describe,
    .restore = restore,
};
