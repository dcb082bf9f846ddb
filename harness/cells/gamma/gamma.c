/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gamma: core cycles per output vector of 32 weights, from U and 2U dot products an iteration. The samples of a cell
 * alternate, U then 2U; their difference has neither the loop nor the timer in it.
 */
#include "harness/cells/gamma/gamma.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/call_watch.h"
#include "harness/cells/cell/external_code.h"
#include "harness/cells/cell/fields.h"
#include "harness/cells/cell/kind.h"
#include "harness/cells/cell/rounds.h"
#include "harness/cells/product/main_kernels.h"
#include "platforms/clock/clock.h"
#include "results/text/refuse.h"

/* ---- which cells ---- */

/** on: "" or the kind of core, which then is part of the name. */
static int add(struct cells *cells, const struct sequence *sequence, unsigned accumulators, unsigned member,
               const char *on)
{
    for (uint64_t i = 0; i < sequence->variants; i++) {
        const struct sequence_variant *variant = &sequence->variant[i];
        if (accumulators && variant->accumulators != accumulators)
            continue;
        struct cell *cell = cells_add(cells, &cell_kind_gamma);
        if (!cell)
            return -ENOMEM;
        cell->sequence = sequence;
        cell->member = member;
        gamma_cell(cell)->variant = variant;
        snprintf(cell->name, sizeof cell->name, "gamma/%s/a%lu%s%s", sequence->name,
                 (unsigned long)variant->accumulators, *on ? "/" : "", on);
    }
    return 0;
}

int gamma_add(struct cells *cells, const struct sequence *sequence, unsigned accumulators)
{
    return add(cells, sequence, accumulators, 0, "");
}

int gamma_add_of_kinds(struct cells *cells, const struct session *session, const struct sequence *sequence)
{
    int error = gamma_add(cells, sequence, 0);
    for (unsigned member = 1; !error && member < session->threads; member++) {
        if (!session_leads_kind(session, member))
            continue;
        const struct topology_core *core = topology_core_of_cpu(session->machine.topology, session->cpus[member]);
        error = add(cells, sequence, 0, member, core_kind_name(core->kind));
    }
    return error;
}

/* ---- taking samples ---- */

struct job {
    struct session *session;
    struct cell *cell;
    const struct sequence_variant *variant;
    struct sequence_operands operands;
    struct team *team;
    struct call_watch *watch; /* of a sequence that is not ours; else NULL */
};

/** U of an even sample, 2U of an odd one. */
static void call(const struct job *job, unsigned sample, uint64_t iterations)
{
    (sample % 2 ? job->variant->run_2u : job->variant->run_u)(&job->operands, iterations);
}

static void run(void *context, unsigned member, unsigned sample)
{
    (void)member;
    const struct job *job = context;
    call(job, sample, job->cell->iterations);
}

static void look_between(void *context, unsigned member, unsigned sample)
{
    const struct job *job = context;
    (void)sample;
    call_watch_between(job->watch, job->team, member);
}

/** On the core that the samples run on. Code that is not ours may do in these iterations what it does not in those of a sample. */
static void choose_iterations(struct job *job)
{
    enum { PROBE = 64 };
    const struct clock *clock = &job->session->instruments.chain.clock;
    if (job->watch)
        call_watch_before(job->watch, 0);
    call(job, 0, PROBE);
    double core_hz = clock_read(clock).imul_hz;
    uint64_t begin = tsc_begin().ticks;
    call(job, 0, PROBE);
    double cycles = (double)(tsc_end().ticks - begin) / clock->tsc_hz * core_hz / PROBE;
    if (job->watch)
        call_watch_after(job->watch, job->team, 0);
    job->cell->iterations = sample_iterations(cycles);
}

/**
 * A call as a sample makes it, which is looked at as soon as it returns. @return lanes that are wrong; 0 where a scalar result would
 * have to be computed iteration by iteration, which takes longer than all samples
 */
static size_t call_watched(struct job *job, unsigned sample)
{
    const struct sequence *sequence = job->cell->sequence;
    const uint64_t iterations = job->cell->iterations;
    call_watch_before(job->watch, 0);
    call(job, sample, iterations);
    call_watch_after(job->watch, job->team, 0);
    return sequence->reference ? 0
                               : sequence_compare(sequence, job->variant, sample % 2, iterations, &job->operands, NULL);
}

/** Of a sequence that is not ours: calls of both lengths, and what they and those so far did wrong. 0 or -EILSEQ */
static int watch(struct job *job)
{
    struct cell *cell = job->cell;
    char text[160];
    size_t wrong = call_watched(job, 0) + call_watched(job, 1);
    const struct call_results results = {false, sequence_check(cell->sequence, job->variant, &job->operands) != 0};
    int error = call_watch_judge(job->watch, job->team, results, text, sizeof text);
    if (error)
        return refuse(error, cell->why, sizeof cell->why, "%s %s", cell->sequence->name, text);
    return wrong ? refuse(-EILSEQ, cell->why, sizeof cell->why,
                          "%s with %lu accumulators is wrong in %zu lanes after %lu iterations", cell->sequence->name,
                          (unsigned long)job->variant->accumulators, wrong, (unsigned long)cell->iterations)
                 : 0;
}

static int take(struct job *job, unsigned pairs)
{
    struct session *session = job->session;
    struct cell *cell = job->cell;
    const struct sampler_work work = {.context = job,
                                      .first_member = cell->member,
                                      .region = cell->name,
                                      .before = job->watch ? look_between : NULL,
                                      .run = run};
    struct sample *samples = calloc(2 * (size_t)pairs, sizeof *samples);
    int error = samples ? sampler_take(job->team, &session->instruments, &work, samples, 2 * pairs) : -ENOMEM;
    if (!error && job->watch) {
        call_watch_last(job->watch, job->team);
        error = watch(job);
    }
    if (!error)
        error = samples_append(&cell->samples, samples, 2 * (size_t)pairs);
    free(samples);
    return error;
}

/** Of a sequence that is right in this visit. */
static int check_and_take(struct job *job, unsigned pairs)
{
    struct cell *cell = job->cell;
    size_t wrong = sequence_check(cell->sequence, job->variant, &job->operands);
    cell->verified = true;
    cell->exact = wrong == 0;
    if (wrong)
        return refuse(-EILSEQ, cell->why, sizeof cell->why, "%s with %lu accumulators is wrong in %zu lanes",
                      cell->sequence->name, (unsigned long)job->variant->accumulators, wrong);
    if (!cell->iterations)
        choose_iterations(job);
    int error = job->watch ? watch(job) : 0;
    return error ? error : take(job, pairs);
}

static int visit(struct session *session, struct cell *cell, unsigned pairs)
{
    _Alignas(64) uint8_t weights[SEQUENCE_WEIGHT_BYTES_MAX];
    _Alignas(64) uint8_t activations[SEQUENCE_ACTIVATION_BYTES_MAX];
    _Alignas(64) uint8_t accumulators[SEQUENCE_ACCUMULATORS_MAX * SEQUENCE_VECTOR_BYTES_MAX];
    sequence_draw(cell->sequence, session_random(session), 1, weights, activations);
    const struct sequence_variant *variant = gamma_cell(cell)->variant;
    struct job job = {.session = session,
                      .cell = cell,
                      .variant = variant,
                      .operands = {weights, activations, accumulators},
                      .team = session_team_from(session, cell->member, cell->threads, cell->why, sizeof cell->why)};
    if (!job.team)
        return -EINVAL;
    const bool watched = external_code_is_any(session, cell);
    job.watch = watched ? calloc(1, sizeof *job.watch) : NULL;
    int error = !watched ? 0 : job.watch ? call_watch_begin(job.watch) : -ENOMEM;
    if (!error)
        error = check_and_take(&job, pairs);
    if (job.watch)
        call_watch_end(job.watch);
    free(job.watch);
    return error;
}

/* ---- the kind ---- */

static void describe(const struct cell *cell, json_t *record)
{
    if (gamma_cell(cell)->variant)
        field_set(record, "vectors", json_real(gamma_vectors(cell)));
}

/** Of those on which the clock chains agreed. */
static size_t kept(const struct cell *cell)
{
    struct graded gamma = gamma_summary(cell);
    return strcmp(gamma.grade, "wall") != 0 ? gamma.summary.n : 0;
}

static enum compare_class class_of(const struct session *session, const struct cell *cell)
{
    (void)session, (void)cell;
    return COMPARE_CORE;
}

static int plan(struct cells *cells, const struct planning *planning)
{
    int error = 0;
    for (const struct sequence *const *sequence = sequence_all(); !error && *sequence; sequence++) {
        if (session_runs(planning->session, (*sequence)->isa))
            error = gamma_add_of_kinds(cells, planning->session, *sequence);
    }
    return error;
}

static unsigned most_accumulators(const struct sequence *sequence)
{
    uint64_t most = 0;
    for (uint64_t i = 0; i < sequence->variants; i++)
        most = sequence->variant[i].accumulators > most ? sequence->variant[i].accumulators : most;
    return (unsigned)most;
}

static int offer(struct cells *cells, const struct kernel *kernel, const struct sequence *sequence,
                 const struct cell_options *options, char *why, size_t size)
{
    if (kernel)
        return 0;
    int error = gamma_add(cells, sequence, options->accumulators ? options->accumulators : most_accumulators(sequence));
    return error == -ENOMEM ? refuse(error, why, size, "no memory") : error;
}

/* ---- in a characterization ---- */

/** Whether no sequence of the same name runs here with a better ISA, or a main kernel is predicted from its gamma. */
static bool is_wanted(const struct session *session, const struct sequence *sequence)
{
    bool is_best = true;
    if (code_is_as_published(session, sequence->origin, sequence->isa))
        return true;
    for (const struct sequence *const *other = sequence_all(); is_best && *other; other++)
        is_best = strcmp((*other)->format, sequence->format) != 0 ||
                  strcmp((*other)->sequence, sequence->sequence) != 0 || !session_runs(session, (*other)->isa) ||
                  isa_find((*other)->isa)->priority <= isa_find(sequence->isa)->priority;
    for (const struct kernel *const *kernel = kernel_all(); !is_best && *kernel; kernel++)
        is_best = strcmp(kernel_gamma(*kernel), sequence->name) == 0 && session_runs(session, (*kernel)->isa) &&
                  gemv_is_main(session, *kernel);
    return is_best;
}

/**
 * Coarse: 1, 4, 8, the fewest that are usable and the most there are; those tell latency from throughput. Those of a lesser ISA
 * come with the kernels that are of it.
 */
static enum cell_value value(const struct planning *planning, const struct cell *cell)
{
    uint64_t accumulators = gamma_cell(cell)->variant->accumulators;
    bool coarse = accumulators == 1 || accumulators == 4 || accumulators == 8 ||
                  accumulators == cell->sequence->least_accumulators ||
                  accumulators == most_accumulators(cell->sequence);
    return !coarse ? CELL_BREADTH : is_wanted(planning->session, cell->sequence) ? CELL_GAMMA : CELL_KERNELS;
}

static struct cell_cost cost(const struct session *session, const struct cell *cell)
{
    (void)session, (void)cell;
    /* a pair: U and 2U of SAMPLE_CYCLES at some GHz, and the clocks around each; bytes with what is refined */
    return (struct cell_cost){.visit_s = 3e-4, .sample_s = 3 * SAMPLE_CYCLES / 3e9 + 6e-5, .bytes = 900};
}

static bool inseparable(const struct cell *one, const struct cell *next)
{
    return one->sequence == next->sequence && one->member == next->member && one->value == next->value;
}

const struct cell_kind cell_kind_gamma = {
    .iterations_most = SAMPLE_CYCLES,
    .name = "gamma",
    .own = sizeof(struct gamma_cell),
    .halves = true,
    .plan = plan,
    .offer = offer,
    .one_a_subject = true,
    .class_of = class_of,
    .visit = visit,
    .apart = true,
    .kept = kept,
    .rank = 20,
    .value = value,
    .cost = cost,
    .inseparable = inseparable,
    .carry_out = gamma_sweep,
    .refine = gamma_refine_exactly,
    .record = gamma_record,
    .describe = describe,
};
