/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gamma_up of GEMM kernels: see unpack.h. One core; nothing is timed before unpacking alone has left in scratch what the
 * kernel multiplies with, and before products of it were right.
 */
#include "harness/cells/unpack/unpack.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/fields.h"
#include "harness/cells/cell/rounds.h"
#include "harness/cells/product/main_kernels.h"
#include "harness/check/operands/guarded_gemm.h"
#include "harness/team/gemm.h"
#include "platforms/clock/clock.h"

/** No kernel leaves it for any weight often: what scratch holds before it is written. */
enum { JUNK = 0xff };

/* ---- which cells ---- */

bool unpack_has(const struct kernel *kernel)
{
    char why[160];
    return kernel->gemm.run && kernel->gemm.unpacks_alone && !kernel_accepts_k(kernel, UNPACK_K, why, sizeof why);
}

static int add(struct cells *cells, const struct kernel *kernel, size_t tokens)
{
    char name[160];
    snprintf(name, sizeof name, "unpack/%s/n%zu", kernel->name, tokens);
    if (cells_find(cells, name))
        return 0;
    struct cell *cell = cells_add(cells, &cell_kind_unpack);
    if (!cell)
        return -ENOMEM;
    cell->kernel = kernel;
    unpack_cell(cell)->tokens = tokens;
    snprintf(cell->name, sizeof cell->name, "%s", name);
    return 0;
}

int unpack_add(struct cells *cells, const struct kernel *kernel)
{
    return unpack_has(kernel) ? add(cells, kernel, 0) : 0;
}

int unpack_add_tokens(struct cells *cells, const struct kernel *kernel)
{
    static const size_t tokens[] = {0, 1, 4, 8, 16, UNPACK_TOKENS_MOST};
    int error = 0;
    for (size_t i = 0; !error && i < sizeof tokens / sizeof *tokens && unpack_has(kernel); i++)
        error = add(cells, kernel, tokens[i]);
    return error;
}

static int plan(struct cells *cells, const struct planning *planning)
{
    int error = 0;
    for (const struct kernel *const *kernel = kernel_all(); !error && *kernel; kernel++) {
        if (session_runs(planning->session, (*kernel)->isa))
            error = unpack_add_tokens(cells, *kernel);
    }
    return error;
}

/* ---- taking samples ---- */

/** Panels of the first half; of the second there are twice as many. */
static size_t panels_of(const struct kernel *kernel)
{
    size_t panels = UNPACK_BYTES / format_panel_bytes(kernel->format, UNPACK_K);
    return panels ? panels : 1;
}

struct job {
    struct session *session;
    struct cell *cell;
    size_t tokens;
    struct gemm half[2];
    uint8_t *weights, *scratch; /* a copy of what is left there */
    int error;
};

static void call(struct job *job, struct gemm *gemm, uint64_t generation)
{
    if (job->tokens)
        gemm_run_member(gemm, 0, (unsigned)generation);
    else
        gemm_unpack_member(gemm, 0);
}

static void run(void *context, unsigned member, unsigned sample)
{
    (void)member;
    struct job *job = context;
    for (uint64_t i = 0; i < job->cell->iterations; i++)
        call(job, &job->half[sample % 2], 1 + i);
}

static void choose_iterations(struct job *job)
{
    enum { PROBE = 16 };
    const struct clock *clock = &job->session->instruments.chain.clock;
    for (unsigned i = 0; i < PROBE; i++)
        call(job, &job->half[0], i);
    double core_hz = clock_read(clock).imul_hz;
    uint64_t begin = tsc_begin().ticks;
    for (unsigned i = 0; i < PROBE; i++)
        call(job, &job->half[0], i);
    double cycles = (double)(tsc_end().ticks - begin) / clock->tsc_hz * core_hz / PROBE;
    job->cell->iterations = sample_iterations(cycles);
}

/** The products of one half are right; its scratch holds what they were made of, over junk. */
static int verify_products(struct job *job, struct gemm *gemm)
{
    struct reference_check check;
    memset(gemm->members[0].scratch.bytes, JUNK, gemm->members[0].scratch.length);
    gemm_run_member(gemm, 0, 0xffffffffu);
    int error = gemm_verify(gemm, session_random(job->session), &check);
    if (!error && check.wrong) {
        snprintf(job->cell->why, sizeof job->cell->why, "%s differs from the scalar reference in %zu of %zu results",
                 job->cell->kernel->name, check.wrong, check.rows);
        error = -EILSEQ;
    }
    return error;
}

/** Unpacking the same alone leaves the same. */
static int verify_alone(struct job *job, struct gemm *gemm)
{
    size_t bytes = kernel_gemm_scratch_bytes(gemm->kernel, UNPACK_K, 0);
    struct memory_block *scratch = &gemm->members[0].scratch;
    memcpy(job->scratch, scratch->bytes, bytes);
    memset(scratch->bytes, JUNK, scratch->length);
    gemm_unpack_member(gemm, 0);
    if (unpacked_alike(scratch->bytes, job->scratch, bytes, JUNK, UNPACK_K))
        return 0;
    snprintf(job->cell->why, sizeof job->cell->why,
             "%s unpacks other values when it only unpacks than before it "
             "multiplies",
             job->cell->kernel->name);
    return -EILSEQ;
}

static int verify_half(struct job *job, struct gemm *gemm)
{
    gemm->members[0].weights = job->weights;
    int error = gemm_touch(gemm, 0);
    if (!error)
        error = verify_products(job, gemm);
    return error ? error : verify_alone(job, gemm);
}

/** By the member that is timed, so that all memory lies on its node. */
static void begin(void *context, unsigned member)
{
    struct job *job = context;
    const struct kernel *kernel = job->cell->kernel;
    size_t panels = 2 * panels_of(kernel);
    uint64_t random = session_random(job->session);
    if (member)
        return;
    format_fill(kernel->format, job->weights,
                panels * (format_is_uniform(kernel->format) ? format_steps(kernel->format, UNPACK_K) : 1), UNPACK_K,
                &random);
    for (unsigned i = 0; !job->error && i < 2; i++)
        job->error = verify_half(job, &job->half[i]);
    job->cell->verified = job->cell->exact = !job->error;
    if (!job->error && !job->cell->iterations)
        choose_iterations(job);
}

static int begin_job(struct job *job, struct team *team)
{
    const struct kernel *kernel = job->cell->kernel;
    size_t panels = panels_of(kernel), tokens = job->tokens ? job->tokens : 1;
    size_t bytes = 2 * panels * format_panel_bytes(kernel->format, UNPACK_K);
    job->weights = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    job->scratch = malloc(kernel_gemm_scratch_bytes(kernel, UNPACK_K, 0) + 1);
    int error = job->weights && job->scratch ? 0 : -ENOMEM;
    for (unsigned i = 0; !error && i < 2; i++) {
        error = gemm_prepare(&job->half[i], kernel, (i + 1) * panels * kernel->format->rows_per_panel, UNPACK_K, tokens,
                             1, session_random(job->session));
        job->half[i].prefetch_bytes = 0; /* nothing follows */
    }
    if (!error) {
        team_run(team, begin, job);
        error = job->error;
    }
    return error;
}

static void end_job(struct job *job)
{
    for (unsigned i = 0; i < 2; i++) {
        if (job->half[i].kernel)
            gemm_release(&job->half[i]);
    }
    free(job->weights);
    free(job->scratch);
}

static int visit(struct session *session, struct cell *cell, unsigned pairs)
{
    struct job job = {.session = session, .cell = cell, .tokens = unpack_cell(cell)->tokens};
    struct team *team = session_team(session, 1, cell->why, sizeof cell->why);
    int error = team ? begin_job(&job, team) : -EINVAL;
    if (!error) {
        const struct sampler_work work = {.context = &job, .region = cell->name, .run = run};
        error = cell_take(session, cell, &work, 2 * pairs);
    }
    end_job(&job);
    return error;
}

/* ---- what they say ---- */

/** Output vectors by which the halves differ, of one call. */
static double vectors_of(const struct cell *cell)
{
    const struct format *format = cell->kernel->format;
    return (double)panels_of(cell->kernel) * format->rows_per_panel * UNPACK_K / 32;
}

static bool cycles_of(const struct cell *cell, size_t pair, double *value, enum sample_grade *grade)
{
    const struct sample *one = &cell->samples.sample[2 * pair], *two = one + 1;
    *value = (two->wall_s * two->core_hz - one->wall_s * one->core_hz) / ((double)cell->iterations * vectors_of(cell));
    *grade = one->grade < two->grade ? one->grade : two->grade;
    return one->cause == SAMPLE_KEPT && two->cause == SAMPLE_KEPT;
}

struct graded unpack_cycles(const struct cell *cell)
{
    return summary_derive(cell, cell->samples.count / 2, true, cycles_of);
}

double unpack_gamma(const struct cells *cells, const struct kernel *kernel)
{
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        if (unpack_cell(cell) && cell->kernel == kernel && !unpack_cell(cell)->tokens && cell->samples.count)
            return summary_stated_cycles(unpack_cycles(cell));
    }
    return NAN;
}

static json_t *record_of(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    (void)session;
    const struct kernel *kernel = cell->kernel;
    const double tokens = (double)unpack_cell(cell)->tokens;
    struct graded cycles = unpack_cycles(cell);
    json_t *record = json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:f}", "type", "unpack", "name", kernel->name, "format",
        kernel->format->name, "sequence", kernel->sequence, "isa", kernel->isa, "origin", kernel->origin, "n",
        (json_int_t)unpack_cell(cell)->tokens, "k", (json_int_t)UNPACK_K, "m",
        (json_int_t)(panels_of(kernel) * kernel->format->rows_per_panel), "scratch_bytes",
        (json_int_t)kernel_gemm_scratch_bytes(kernel, UNPACK_K, unpack_cell(cell)->tokens), "bytes_per_vector",
        (double)format_panel_bytes(kernel->format, UNPACK_K) * 32 / kernel->format->rows_per_panel / UNPACK_K);
    field_set_quantity(record, "cycles_per_vector", cycles, "cycles");
    if (tokens > 0) {
        double alone = unpack_gamma(cells, kernel), all = summary_stated_cycles(cycles);
        field_set_number(record, "gamma", all / tokens);
        field_set_number_or_why(record, "beyond_unpacking", (all - alone) / tokens,
                                isnan(alone) ? "unpacking alone was not measured often enough"
                                             : "too few samples were kept");
    }
    field_set(record, "exact", json_boolean(cell->exact));
    field_set_instructions(record, cell);
    field_set_proof(record, cell);
    return record;
}

static size_t kept(const struct cell *cell)
{
    struct graded cycles = unpack_cycles(cell);
    return strcmp(cycles.grade, "wall") != 0 ? cycles.summary.n : 0;
}

/* ---- in a characterization ---- */

static enum cell_value value(const struct planning *planning, const struct cell *cell)
{
    return gemm_is_main(planning->session, cell->kernel) ? CELL_GEMM : CELL_BREADTH;
}

static struct cell_cost cost(const struct session *session, const struct cell *cell)
{
    (void)session;
    static const double PRODUCT_S = 2e-9; /* of the scalar reference */
    double weights = 3 * vectors_of(cell) * 32, tokens = (double)unpack_cell(cell)->tokens + 1;
    return (struct cell_cost){
        .visit_s = 1e-3 + weights * tokens * PRODUCT_S, .sample_s = 3 * SAMPLE_CYCLES / 3e9 + 6e-5, .bytes = 900};
}

const struct cell_kind cell_kind_unpack = {
    .iterations_most = SAMPLE_CYCLES,
    .name = "unpack",
    .own = sizeof(struct unpack_cell),
    .halves = true,
    .plan = plan,
    .visit = visit,
    .apart = true,
    .kept = kept,
    .rank = 64,
    .value = value,
    .cost = cost,
    .record = record_of,
};
