/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV on a team. Cold: every sample reads another copy of the packed weights, as the layers of a model do, from a pool
 * of at least four times the caches; before each of them the roof's read stream reads as much, so the fraction of the
 * roof compares neighbours in time. Warm: the same weights again and again.
 *
 * The pool holds random bytes, or random units of formats for which not every byte is a weight, so a copy costs no
 * packing; the result of each visit is compared with the scalar reference on just those bytes before anything is timed.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/cells/cell/cell.h"
#include "harness/team/gemv.h"
#include "platforms/host.h"

/** The roof's stream reads at least this much a member, so that its start-up does not show. */
enum { ROOF_BYTES_LEAST = 2 << 20, ROOF_BYTES_MOST = 16 << 20 };

/** A matrix of so many times the last-level caches is cold though it is read again and again. */
enum { ONE_LAYER_CACHES = 2 };

struct job {
    struct session *session;
    struct cell *cell;
    struct gemv gemv;
    size_t granule; /* at which weights begin in the pool */
    size_t roof_member_bytes;
    const uint8_t *roof_place[SESSION_CPUS_MAX];
};

static bool is_roof(const struct cell *cell, unsigned sample)
{
    return cell->cold && sample % 2 == 0;
}

/** The streams that compete for the roof take turns, over all visits of the cell. */
static const struct session_stream *roof_stream(const struct job *job, unsigned sample)
{
    const struct session_roof *roof = &job->session->roof[job->cell->threads];
    return &roof->streams[(job->cell->roof.count + sample / 2) % roof->count];
}

static void choose_place(void *context, unsigned member, unsigned sample)
{
    struct job *job = context;
    struct gemv *gemv = &job->gemv;
    unsigned threads = job->cell->threads;
    if (is_roof(job->cell, sample))
        job->roof_place[member] = session_cold_place(
            job->session, member, threads, session_stream_span(roof_stream(job, sample), job->roof_member_bytes), 64);
    else if (job->cell->cold)
        gemv->members[member].weights =
            session_cold_place(job->session, member, threads, gemv_member_bytes(gemv, member), job->granule);
    else
        gemv_run_member(gemv, member, sample + 0x80000000u);
}

static void run(void *context, unsigned member, unsigned sample)
{
    struct job *job = context;
    const struct cell *cell = job->cell;
    if (is_roof(cell, sample)) {
        const struct session_stream *stream = roof_stream(job, sample);
        session_stream_read(stream, job->roof_place[member], job->roof_member_bytes, true);
        return;
    }
    for (unsigned i = 0; i < cell->repeats; i++) {
        gemv_run_member(&job->gemv, member, 1 + sample * cell->repeats + i);
        team_barrier(job->session->team);
    }
}

/** Verification: one GEMV at the place where each member is. */
static void run_once(void *context, unsigned member)
{
    struct job *job = context;
    gemv_run_member(&job->gemv, member, 0xffffffffu);
    team_barrier(job->session->team);
}

static int verify(struct job *job)
{
    struct cell *cell = job->cell;
    for (unsigned t = 0; t < cell->threads; t++)
        job->gemv.members[t].weights = job->session->pool[t].bytes;
    team_run(job->session->team, run_once, job);
    struct reference_check check;
    int error = gemv_verify(&job->gemv, session_random(job->session), &check);
    if (error)
        return error;
    /* of all visits: exact if each was, the worst error */
    cell->exact = reference_is_exact(&check) && (cell->exact || !cell->verified);
    cell->error = reference_error(&check) > cell->error ? reference_error(&check) : cell->error;
    cell->verified = true;
    if (check.wrong)
        snprintf(cell->why, sizeof cell->why,
                 "%s on %zux%zu with %u threads differs from the scalar reference in %zu of %zu rows",
                 cell->kernel->name, cell->m, cell->k, cell->threads, check.wrong, check.rows);
    return check.wrong ? -EILSEQ : 0;
}

static size_t largest_share(const struct cell *cell)
{
    const struct kernel *kernel = cell->kernel;
    size_t most = 0;
    for (unsigned t = 0; t < cell->threads; t++) {
        struct partition part = partition_of(format_panels(kernel->format, cell->m),
                                             gemv_units_per_panel(kernel, cell->k), t, cell->threads);
        most = part.end - part.first > most ? part.end - part.first : most;
    }
    return most * gemv_unit_bytes(kernel, cell->k);
}

static size_t roof_member_bytes(const struct cell *cell)
{
    size_t share = largest_share(cell);
    size_t roof = share < ROOF_BYTES_LEAST ? ROOF_BYTES_LEAST : share > ROOF_BYTES_MOST ? ROOF_BYTES_MOST : share;
    return roof / SESSION_STREAM_UNIT * SESSION_STREAM_UNIT;
}

size_t measure_gemv_places(const struct session *session, const struct cell *cell)
{
    return session_cold_places(session, cell->threads, largest_share(cell) + roof_member_bytes(cell));
}

/**
 * Pool of each member: of a cold cell several times the caches. Where that finds no memory but one matrix does, one is
 * enough if it is larger than the caches it would have to stay in: a single layer, read again and again.
 */
static size_t pool_bytes(const struct session *session, const struct cell *cell)
{
    char why[SESSION_WHY];
    size_t share = largest_share(cell), cold = cell->cold ? session_cold_bytes(session, cell->threads) : 0;
    if (share >= cold)
        return share;
    bool one_is_cold = share * cell->threads >= ONE_LAYER_CACHES * session->llc_bytes && session->llc_bytes;
    if (one_is_cold && session_memory_fits(session_pool_growth(session, cell->threads, cold), host_memory_available(""),
                                           "", why, sizeof why))
        return share;
    return cold;
}

int measure_gemv_fits(const struct session *session, const struct cell *cell, char *why, size_t size)
{
    char what[160];
    snprintf(what, sizeof what, "%s on %zux%zu with %u thread%s", cell->kernel->name, cell->m, cell->k, cell->threads,
             cell->threads == 1 ? "" : "s");
    uint64_t more = gemv_working_bytes(cell->kernel, cell->m, cell->k, cell->threads) +
                    session_pool_growth(session, cell->threads, pool_bytes(session, cell));
    return session_memory_fits(more, host_memory_available(""), what, why, size);
}

/** Whole matrices that the smallest pool of a member holds its share of. */
static size_t fewest_copies(const struct session *session, const struct cell *cell, size_t share)
{
    size_t copies = SIZE_MAX;
    for (unsigned t = 0; t < cell->threads; t++) {
        size_t holds = session->pool[t].length / share;
        copies = holds < copies ? holds : copies;
    }
    return copies;
}

/** Sizes that depend on the shape: pool, the roof's bytes, repeats of a short warm GEMV. */
static int size_work(struct job *job)
{
    struct session *session = job->session;
    struct cell *cell = job->cell;
    size_t share = largest_share(cell);
    job->roof_member_bytes = roof_member_bytes(cell);
    cell->roof_bytes = job->roof_member_bytes * cell->threads;
    if (!cell->repeats) {
        /* a warm sample lasts some 50 microseconds: at 40 GB/s a core that is 2 MB */
        size_t repeats = cell->cold ? 1 : (2u << 20) / (share + 1) + 1;
        cell->repeats = (unsigned)(repeats > 200 ? 200 : repeats);
    }
    int error = session_pool(session, cell->threads, pool_bytes(session, cell), cell->why, sizeof cell->why);
    if (!error && cell->cold)
        cell->copies = fewest_copies(session, cell, share);
    if (!error)
        job->granule = session_pool_fill(session, cell->threads, cell->kernel->format, cell->k);
    return error ? error : job->granule ? 0 : -EINVAL;
}

/** A job whose result was right, with its team; *job is to be released whatever is returned. */
static int begin_job(struct session *session, struct cell *cell, struct job *job)
{
    *job = (struct job){.session = session, .cell = cell};
    int error = measure_gemv_fits(session, cell, cell->why, sizeof cell->why);
    if (!error)
        error = gemv_prepare(&job->gemv, cell->kernel, cell->m, cell->k, cell->threads, session_random(session));
    if (!error && cell->prefetch_given)
        job->gemv.prefetch_bytes = cell->prefetch_bytes;
    if (!error)
        error = size_work(job);
    if (!error && !session_team(session, cell->threads, cell->why, sizeof cell->why))
        error = -EINVAL;
    return error ? error : verify(job);
}

static void end_job(struct job *job)
{
    if (job && job->gemv.kernel)
        gemv_release(&job->gemv);
    free(job);
}

int measure_gemv_try(struct session *session, struct cell *cell)
{
    struct job *job = calloc(1, sizeof *job);
    int error = job ? begin_job(session, cell, job) : -ENOMEM;
    end_job(job);
    return error;
}

int measure_gemv(struct session *session, struct cell *cell, unsigned count)
{
    unsigned total = cell->cold ? 2 * count : count;
    if (cell->cold && !session->roof[cell->threads].count) {
        snprintf(cell->why, sizeof cell->why,
                 "no sample of the read roof of %u thread%s was kept: the machine is too busy (`kneepoint info` and "
                 "`kneepoint selftest` show what disturbs); try again",
                 cell->threads, cell->threads == 1 ? "" : "s");
        return -ENODATA;
    }
    struct job *job = calloc(1, sizeof *job);
    struct sample *samples = calloc(total, sizeof *samples);
    int error = job && samples ? 0 : -ENOMEM;
    if (!error)
        error = begin_job(session, cell, job);
    if (!error) {
        struct sampler_work work = {.context = job, .region = cell->name, .before = choose_place, .run = run};
        error = sampler_take(session->team, &session->instruments, &work, samples, total);
    }
    for (unsigned i = 0; !error && i < total; i++)
        samples[i].stream = is_roof(cell, i) ? session_stream_id(roof_stream(job, i)) : 0;
    for (unsigned i = 0; !error && i < total; i++)
        error = samples_append(is_roof(cell, i) ? &cell->roof : &cell->samples, &samples[i], 1);
    if (error == -ENOMEM && !cell->why[0])
        snprintf(cell->why, sizeof cell->why, "no memory for %s on %zux%zu", cell->kernel->name, cell->m, cell->k);
    end_job(job);
    free(samples);
    return error;
}
