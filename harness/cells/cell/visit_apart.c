/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/cell/visit_apart.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/external_code.h"
#include "harness/cells/cell/kind.h"
#include "platforms/clock/clock.h"
#include "platforms/memory/memory.h"
#include "platforms/process/worker.h"
#include "results/text/refuse.h"

bool visit_apart_can(const struct session *session, const struct cell *cell)
{
    return cell->kind->apart && !session->instruments.marker;
}

/* ---- what a visit changes, in memory that both processes have at the same address ---- */

/** A run of it; the list ends with NULL. */
struct changed {
    void *memory;
    size_t bytes;
};

enum { CHANGED_MOST = 24, OWNED_MOST = 8 };

static void list_changed(struct session *session, struct cell *cell, struct changed list[CHANGED_MOST])
{
    struct instruments *instruments = &session->instruments;
    const unsigned members = session->threads;
    struct changed *at = list;
    *at++ = (struct changed){&session->random, sizeof session->random};
    *at++ = (struct changed){&session->turn, sizeof session->turn};
    *at++ = (struct changed){session->pool_at, members * sizeof *session->pool_at};
    *at++ = (struct changed){instruments->idle_w, sizeof instruments->idle_w};
    *at++ = (struct changed){&instruments->idle_readings, sizeof instruments->idle_readings};
    *at++ = (struct changed){instruments->clock_of, members * sizeof *instruments->clock_of};
    *at++ = (struct changed){instruments->reconciling_cycles_of, members * sizeof *instruments->reconciling_cycles_of};
    *at++ = (struct changed){instruments->issue_width_of, members * sizeof *instruments->issue_width_of};
    *at++ = (struct changed){instruments->judged, sizeof instruments->judged};
    *at++ = (struct changed){cell->own, cell->kind->own};
    for (size_t i = 0; cell->kind->owned && i < OWNED_MOST; i++) {
        size_t bytes;
        void *owned = cell->kind->owned(cell, i, &bytes);
        if (!owned)
            break;
        *at++ = (struct changed){owned, bytes};
    }
    *at = (struct changed){0};
}

/** How many samples there were. */
struct visited {
    size_t samples, roof;
};

/** What goes before it all. */
struct answer {
    int error;
    struct cell cell;
    size_t samples, roof; /* new ones */
};

/* ---- in the worker ---- */

struct visit {
    struct session *session;
    struct cell *cell;
    unsigned count;
    struct visited before;
    bool rehearsed; /* nothing is kept of it, and LIKWID hears nothing */
};

/** Weights that are written to memory of the other process would be copied page by page, and lie on other pages than before. */
static void leave_pool(struct session *session, const struct cell *cell)
{
    bool fills = cell->kernel     ? cell->kernel->format->fill && !cell->kind->ready
                 : cell->sequence ? cell->sequence->weight_values != SEQUENCE_BYTES
                                  : false;
    for (unsigned i = 0; fills && i < session->threads; i++)
        session->pool[i] = (struct memory_block){0};
}

/**
 * A fork has the pages but has not used them: the first read of each would set a bit in the page table, which a cold read in the other
 * process does not do.
 */
static void use_pool(const struct session *session, const struct cell *cell)
{
    enum { PAGE = 4096 };
    for (unsigned i = cell->member; i < cell->member + cell->threads; i++) {
        for (size_t at = 0; at < session->pool[i].length; at += PAGE)
            (void)*(const volatile unsigned char *)(session->pool[i].bytes + at);
    }
}

static void work(void *context, struct worker *worker)
{
    struct visit *visit = context;
    struct session *session = visit->session;
    struct cell *cell = visit->cell;
    session->team = NULL; /* its threads are the other process's */
    session->instruments.heart = worker_heart(worker);
    if (visit->rehearsed)
        session->instruments.marker = NULL;
    leave_pool(session, cell);
    use_pool(session, cell);
    memory_own_heap();
    struct answer answer = {.error = cell_visit(session, cell, visit->count)};
    answer.cell = *cell;
    answer.samples = cell->samples.count - visit->before.samples;
    answer.roof = cell->roof.count - visit->before.roof;
    worker_send(worker, &answer, sizeof answer);
    struct changed list[CHANGED_MOST];
    list_changed(session, cell, list);
    for (const struct changed *at = list; at->memory; at++)
        worker_send(worker, at->memory, at->bytes);
    size_t made_bytes = 0;
    void **made = cell->kind->made ? cell->kind->made(cell, &made_bytes) : NULL;
    if (made && *made)
        worker_send(worker, *made, made_bytes);
    worker_send(worker, cell->samples.sample + visit->before.samples, answer.samples * sizeof *cell->samples.sample);
    worker_send(worker, cell->roof.sample + visit->before.roof, answer.roof * sizeof *cell->roof.sample);
}

/* ---- in this process ---- */

/** The next bytes of a report; NULL where it has no more. */
static const uint8_t *take(const struct worker_result *result, size_t *at, size_t bytes)
{
    if (bytes > result->report_bytes - *at)
        return NULL;
    *at += bytes;
    return result->report + *at - bytes;
}

static int append(struct samples *samples, const struct worker_result *result, size_t *at, size_t count)
{
    /* a count that its code wrote over may be anything */
    const uint8_t *bytes = count <= result->report_bytes ? take(result, at, count * sizeof *samples->sample) : NULL;
    struct sample *more = bytes ? calloc(count + 1, sizeof *more) : NULL;
    int error = !bytes ? -EPROTO : more ? 0 : -ENOMEM;
    if (!error) {
        memcpy(more, bytes, count * sizeof *more);
        error = samples_append(samples, more, count);
    }
    free(more);
    return error;
}

/** Whatever they are in the worker: its code could have written over them. */
static void restore_pointers(struct cell *cell, const struct cell *before)
{
    cell->kind = before->kind;
    cell->kernel = before->kernel;
    cell->sequence = before->sequence;
    cell->own = before->own;
    cell->samples = before->samples;
    cell->roof = before->roof;
    memcpy(cell->name, before->name, sizeof cell->name);
    cell->why[sizeof cell->why - 1] = '\0';
}

/** Memory that the visit may have allocated: a copy of it takes the place of what there was. */
static int take_made(const struct worker_result *result, size_t *at, struct cell *cell, void *before)
{
    size_t bytes = 0;
    void **made = cell->kind->made ? cell->kind->made(cell, &bytes) : NULL;
    const uint8_t *from = made && *made ? take(result, at, bytes) : NULL;
    if (!made || !*made)
        return 0;
    *made = from ? malloc(bytes + 1) : NULL;
    if (!*made) {
        *made = before;
        return from ? -ENOMEM : -EPROTO;
    }
    memcpy(*made, from, bytes);
    free(before);
    return 0;
}

/** As if this process had visited it. @return what the visit returned */
static int take_over(struct session *session, struct cell *cell, const struct worker_result *result)
{
    struct answer answer;
    size_t at = 0;
    const uint8_t *bytes = take(result, &at, sizeof answer);
    if (!bytes)
        return -EPROTO;
    memcpy(&answer, bytes, sizeof answer);
    const struct cell before = *cell;
    *cell = answer.cell;
    restore_pointers(cell, &before);
    struct changed list[CHANGED_MOST];
    list_changed(session, cell, list);
    size_t unused;
    void **made = cell->kind->made ? cell->kind->made(cell, &unused) : NULL, *was_made = made ? *made : NULL;
    for (const struct changed *part = list; part->memory; part++) {
        bytes = take(result, &at, part->bytes);
        if (!bytes)
            return -EPROTO;
        memcpy(part->memory, bytes, part->bytes);
    }
    int error = take_made(result, &at, cell, was_made);
    if (!error)
        error = append(&cell->samples, result, &at, answer.samples);
    if (!error)
        error = append(&cell->roof, result, &at, answer.roof);
    return error ? error : answer.error;
}

int visit_apart_end(const struct worker_result *result, const char *name, unsigned limit_ms, struct cell *cell)
{
    char *why = cell->why, printed[160] = "";
    const size_t size = sizeof cell->why;
    int length = (int)strcspn(result->printed, "\n");
    if (length)
        snprintf(printed, sizeof printed, "; it printed: %.*s", length < 120 ? length : 120, result->printed);
    switch (result->outcome) {
    case WORKER_RETURNED: return 0;
    case WORKER_STOPPED: return -EINTR;
    case WORKER_HUNG:
        return refuse(-EILSEQ, why, size, "%s does not end: a call while it was measured took more than %g s%s", name,
                      1e-3 * limit_ms, printed);
    case WORKER_CRASHED:
        return refuse(-EILSEQ, why, size, "%s crashed while it was measured: signal %d (%s)%s", name, result->detail,
                      strsignal(result->detail), printed);
    case WORKER_WROTE:
        return refuse(-EILSEQ, why, size, "%s wrote to a descriptor that is not its own while it was measured%s", name,
                      printed);
    case WORKER_EXITED:
        return refuse(-EILSEQ, why, size, "%s ended its process while it was measured, with status %d%s", name,
                      result->detail, printed);
    case WORKER_LOST:
        return refuse(-result->detail, why, size, "the report of the process that measured %s was lost: %s", name,
                      strerror(result->detail));
    default:
        return refuse(-result->detail, why, size, "no process can be started to measure %s in: %s", name,
                      strerror(result->detail));
    }
}

/** What it printed is said in any case. @return 0, or why nothing came back, in the cell's why */
static int run(struct visit *visit, const volatile int *stop, const char *name, struct worker_result *result)
{
    struct cell *cell = visit->cell;
    const struct worker_job job = {.body = work, .context = visit, .limit_ms = VISIT_APART_LIMIT_MS, .stop = stop};
    int error = cell->kind->ready ? cell->kind->ready(visit->session, cell) : 0;
    *result = (struct worker_result){.outcome = WORKER_FAILED};
    if (error)
        return error;
    worker_run(&job, result);
    plugin_output_add(&visit->session->plugins.said, name, result->printed);
    return visit_apart_end(result, name, VISIT_APART_LIMIT_MS, cell);
}

int visit_rehearse(struct session *session, struct cell *cell, unsigned count, const volatile int *stop)
{
    char name[FOREIGN_NAMES];
    struct visit visit = {session, cell, count, {cell->samples.count, cell->roof.count}, true};
    struct worker_result result;
    struct answer answer = {.error = -EPROTO};
    int error = run(&visit, stop, external_code_name(session, cell, name, sizeof name), &result);
    if (!error && result.report_bytes >= sizeof answer)
        memcpy(&answer, result.report, sizeof answer);
    if (!error && answer.error) {
        answer.cell.why[sizeof answer.cell.why - 1] = '\0';
        memcpy(cell->why, answer.cell.why, sizeof cell->why);
        error = answer.error;
    }
    free(result.report);
    return error;
}

int visit_apart(struct session *session, struct cell *cell, unsigned count, const volatile int *stop)
{
    char name[FOREIGN_NAMES];
    double begin_s = clock_monotonic_s();
    struct visit visit = {session, cell, count, {cell->samples.count, cell->roof.count}, false};
    struct worker_result result;
    int error = run(&visit, stop, external_code_name(session, cell, name, sizeof name), &result);
    if (!error && result.outcome == WORKER_RETURNED) {
        error = take_over(session, cell, &result);
        if (error == -EPROTO)
            error =
                refuse(-EILSEQ, cell->why, sizeof cell->why, "%s overwrote memory of the tool that measures it", name);
    }
    if (!error && cell->releases_vectors)
        plugin_output_note(
            &session->plugins.said, name,
            "leaves upper halves of vector registers in use, which slows SSE code after it: each call is measured with "
            "a vzeroupper, which belongs at its end");
    cell->last_visit_s = clock_monotonic_s() - begin_s;
    free(result.report);
    return error;
}
