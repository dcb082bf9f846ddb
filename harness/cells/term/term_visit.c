/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Samples of a term: pairs of the work without and with it, in random order. Weights on pages of the base size are a
 * copy of the pool, of which each member has its own.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/product/product_cells.h"
#include "harness/cells/term/term.h"
#include "harness/measure/session_pool.h"
#include "harness/team/gemv.h"
#include "platforms/system/host.h"
#include "results/text/refuse.h"

/** Below it the pool is not what pages of the base size are compared with. */
static const double HUGE_LEAST = 0.9;

struct job {
    struct session *session;
    struct cell *cell;
    struct term_cell *own;
    struct gemv gemv[2]; /* of a kernel */
    size_t granule;
    uint8_t *order;             /* [pairs] 1: with, then without */
    struct memory_block *block; /* [threads] on pages of the base size; NULL: none is needed */
    size_t length;              /* of each, a copy of the pool's beginning */
    size_t *at;                 /* [threads] where the next cold read of it begins */
    const uint8_t *(*place)[2]; /* [threads] of a stream */
    int error;
};

/** Side of a sample: 0 without, 1 with. */
static unsigned side_of(const struct job *job, unsigned sample)
{
    return sample % 2 ^ job->order[sample / 2];
}

/** The next place of a copy on base pages: as session_cold_weights. */
static const uint8_t *place_of_copy(struct job *job, unsigned member, size_t bytes)
{
    enum { GAP = 16384 };
    size_t at = (job->at[member] + job->granule - 1) / job->granule * job->granule;
    if (at + bytes > job->length)
        at = 0;
    job->at[member] = at + bytes + GAP;
    return job->block[member].bytes + at;
}

static const uint8_t *cold_place(struct job *job, unsigned member, const struct term_side *side, size_t bytes)
{
    unsigned threads = job->cell->threads;
    if (side->base_pages)
        return place_of_copy(job, member, bytes);
    return job->cell->kernel ? session_cold_weights(job->session, member, threads, bytes, job->granule)
                             : session_cold_place(job->session, member, threads, bytes, job->granule);
}

static void choose_place(void *context, unsigned member, unsigned sample)
{
    struct job *job = context;
    unsigned s = side_of(job, sample);
    const struct term_side *side = &job->own->side[s];
    if (!job->cell->kernel) {
        job->place[member][s] = cold_place(job, member, side, session_stream_span(&side->stream, job->own->bytes));
    } else if (side->warm) {
        job->gemv[s].members[member].weights = job->session->pool[member].bytes;
        gemv_run_member(&job->gemv[s], member, sample + 0x80000000u);
    } else {
        job->gemv[s].members[member].weights = cold_place(job, member, side, gemv_member_bytes(&job->gemv[s], member));
    }
}

static void run(void *context, unsigned member, unsigned sample)
{
    struct job *job = context;
    unsigned s = side_of(job, sample);
    const struct term_side *side = &job->own->side[s];
    if (!job->cell->kernel) {
        session_stream_read(&side->stream, job->place[member][s], job->own->bytes, true);
        return;
    }
    for (unsigned i = 0; i < side->repeats; i++) {
        gemv_run_member(&job->gemv[s], member, 1 + sample * side->repeats + i);
        team_barrier(job->session->team);
    }
}

/* ---- what it needs ---- */

static size_t member_bytes(const struct job *job, unsigned s)
{
    if (!job->cell->kernel)
        return session_stream_span(&job->own->side[s].stream, job->own->bytes);
    size_t most = 0;
    for (unsigned t = 0; t < job->cell->threads; t++) {
        size_t bytes = gemv_member_bytes(&job->gemv[s], t);
        most = bytes > most ? bytes : most;
    }
    return most;
}

/** Each kernel once, on both matrices, compared with the reference. */
static int verify(struct job *job)
{
    struct cell *cell = job->cell;
    int error = 0;
    for (unsigned s = 0; !error && s < 2 && !cell->verified; s++) {
        const struct term_side *side = &job->own->side[s];
        const struct product_work work = {cell->kernel,  side->m,     side->k, PRODUCT_GEMV,
                                          cell->threads, !side->warm, NULL,    false};
        error = product_try(job->session, &work, NULL, cell->why, sizeof cell->why);
    }
    cell->verified = cell->exact = !error;
    return error;
}

static int prepare_gemvs(struct job *job)
{
    struct cell *cell = job->cell;
    int error = 0;
    for (unsigned s = 0; !error && s < 2; s++) {
        const struct term_side *side = &job->own->side[s];
        error =
            gemv_prepare(&job->gemv[s], cell->kernel, side->m, side->k, cell->threads, session_random(job->session));
        job->gemv[s].prefetch_bytes = side->prefetch_bytes;
    }
    return error;
}

static int size_pool(struct job *job)
{
    struct session *session = job->session;
    struct cell *cell = job->cell;
    size_t cold = session_cold_bytes(session, cell->threads), most = member_bytes(job, 0);
    most = member_bytes(job, 1) > most ? member_bytes(job, 1) : most;
    size_t bytes = cold > most ? cold : most;
    int error = session_pool(session, cell->threads, bytes, cell->why, sizeof cell->why);
    job->length = bytes;
    job->granule = 64;
    /* a copy on base pages is of all of it */
    const struct session_pool_need need = {job->own->side[1].base_pages ? bytes : most, true};
    if (!error && cell->kernel)
        job->granule = session_pool_fill(session, cell->threads, cell->kernel->format, job->own->side[0].k, need);
    return error ? error : job->granule ? 0 : -EINVAL;
}

static void copy_pool(void *context, unsigned member)
{
    struct job *job = context;
    if (memory_reserve_base(job->length, &job->block[member]) ||
        memory_populate(&job->block[member], 0, job->length, NULL)) {
        __atomic_store_n(&job->error, -ENOMEM, __ATOMIC_RELAXED);
        return;
    }
    memcpy(job->block[member].bytes, job->session->pool[member].bytes, job->length);
}

/** A copy of each member's pool on pages of the base size, where a side wants one. */
static int copy_pools(struct job *job)
{
    struct cell *cell = job->cell;
    if (!job->own->side[1].base_pages)
        return 0;
    if (memory_huge_fraction(&job->session->pool[0]) < HUGE_LEAST)
        return refuse(-ENOTSUP, cell->why, sizeof cell->why,
                      "no huge pages here (/sys/kernel/mm/transparent_hugepage/enabled): pages have one size");
    int error = session_memory_fits(cell->threads * job->length, host_memory_available(""), "a copy on base pages",
                                    cell->why, sizeof cell->why);
    if (error)
        return error;
    job->block = calloc(cell->threads, sizeof *job->block);
    job->at = calloc(cell->threads, sizeof *job->at);
    if (!job->block || !job->at)
        return -ENOMEM;
    team_run(job->session->team, copy_pool, job);
    return job->error;
}

static int begin_job(struct job *job, unsigned count)
{
    struct cell *cell = job->cell;
    int error = cell->kernel ? verify(job) : 0;
    if (!error && cell->kernel)
        error = prepare_gemvs(job);
    if (!error)
        error = size_pool(job);
    if (!error && !session_team(job->session, cell->threads, cell->why, sizeof cell->why))
        error = -EINVAL;
    if (!error)
        error = copy_pools(job);
    job->order = calloc(count, sizeof *job->order);
    job->place = calloc(cell->threads, sizeof *job->place);
    if (!error && (!job->order || !job->place))
        error = -ENOMEM;
    for (unsigned i = 0; !error && i < count; i++)
        job->order[i] = (uint8_t)(session_random(job->session) >> 63);
    return error;
}

static void end_job(struct job *job)
{
    for (unsigned s = 0; s < 2; s++)
        gemv_release(&job->gemv[s]);
    for (unsigned t = 0; job->block && t < job->cell->threads; t++) {
        if (job->block[t].bytes)
            memory_release(&job->block[t]);
    }
    free(job->block);
    free(job->at);
    free(job->order);
    free(job->place);
}

int term_visit(struct session *session, struct cell *cell, unsigned count)
{
    struct job job = {.session = session, .cell = cell, .own = term_cell(cell)};
    struct sample *samples = calloc(2 * (size_t)count, sizeof *samples);
    int error = samples ? begin_job(&job, count) : -ENOMEM;
    if (!error) {
        struct sampler_work work = {.context = &job, .region = cell->name, .before = choose_place, .run = run};
        error = sampler_take(session->team, &session->instruments, &work, samples, 2 * count);
    }
    for (unsigned i = 0; !error && i < count; i++) {
        unsigned with = 2 * i + !job.order[i], without = 2 * i + job.order[i];
        error = samples_append(&cell->roof, &samples[without], 1);
        if (!error)
            error = samples_append(&cell->samples, &samples[with], 1);
    }
    end_job(&job);
    free(samples);
    return error;
}
