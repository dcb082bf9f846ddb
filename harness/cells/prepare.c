/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What happens to the activations before a GEMV: quantization of one tensor of k values, the tables or blocks that a
 * kernel makes of what it takes, or both in turn, from f32 to a kernel's operand. One core, data in its caches as after
 * the layer before.
 */
#include "harness/cells/prepare.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/fields.h"
#include "harness/cells/cell/kind.h"
#include "harness/cells/gemv_tiers.h"

/** Activations of one sample, so that the meeting of the team does not show. */
enum { SAMPLE_ACTIVATIONS = 65536 };

/** Of the tensor that a characterization quantizes with everything. */
enum { PLANNED_K = 4096 };

struct prepare_cell *prepare_cell(const struct cell *cell)
{
    return cell->kind == &cell_kind_prepare ? cell->own : NULL;
}

/* ---- which cells ---- */

static int add(struct cells *cells, const struct kernel *kernel, const struct prepare_cell *own, const char *name)
{
    struct cell *cell = cells_add(cells, &cell_kind_prepare);
    if (!cell)
        return -ENOMEM;
    *prepare_cell(cell) = *own;
    cell->kernel = kernel;
    cell->repeats = (unsigned)(SAMPLE_ACTIVATIONS / own->k) + 1;
    snprintf(cell->name, sizeof cell->name, "%s", name);
    return 0;
}

static int add_quantizer(struct cells *cells, const struct quantizer *quantizer, bool bf16, size_t k)
{
    char name[160];
    snprintf(name, sizeof name, "prepare/%s/%s/%zu", bf16 ? "bf16" : "f32", quantizer->name, k);
    return add(cells, NULL, &(struct prepare_cell){.quantizer = quantizer, .bf16 = bf16, .k = k}, name);
}

int prepare_add(struct cells *cells, const struct session *session, size_t k)
{
    int error = 0;
    for (const struct quantizer *const *quantizer = quantizer_all(); !error && *quantizer; quantizer++) {
        for (int bf16 = 0; !error && bf16 < 2 && session_runs(session, (*quantizer)->isa); bf16++)
            error = add_quantizer(cells, *quantizer, bf16, k);
    }
    for (const struct kernel *const *kernel = kernel_all(); !error && *kernel; kernel++) {
        char text[160];
        if (!(*kernel)->prepare || (*kernel)->takes != KERNEL_TAKES_INT8 || !session_runs(session, (*kernel)->isa) ||
            format_accepts((*kernel)->format, 1, k, text, sizeof text))
            continue;
        snprintf(text, sizeof text, "prepare/tables/%s/%zu", (*kernel)->name, k);
        error = add(cells, *kernel, &(struct prepare_cell){.k = k}, text);
    }
    return error;
}

static const struct quantizer *best_quantizer(const struct session *session)
{
    const struct quantizer *best = NULL;
    for (const struct quantizer *const *at = quantizer_all(); *at; at++) {
        if (session_runs(session, (*at)->isa) &&
            (!best || isa_find((*at)->isa)->priority > isa_find(best->isa)->priority))
            best = *at;
    }
    return best;
}

int prepare_add_operand(struct cells *cells, const struct session *session, const struct kernel *kernel, size_t k)
{
    const struct quantizer *quantizer = kernel->takes == KERNEL_TAKES_INT8 ? best_quantizer(session) : NULL;
    char name[160];
    if (kernel->prepare)
        snprintf(name, sizeof name, "prepare/operand/%s/%zu", kernel->name, k);
    else if (quantizer)
        snprintf(name, sizeof name, "prepare/f32/%s/%zu", quantizer->name, k);
    if ((!kernel->prepare && !quantizer) || cells_find(cells, name))
        return 0;
    return add(cells, kernel->prepare ? kernel : NULL, &(struct prepare_cell){.quantizer = quantizer, .k = k}, name);
}

/* ---- taking samples ---- */

struct job {
    const struct cell *cell;
    const struct prepare_cell *own;
    void *x;
    int8_t *q;
    void *operand;
    size_t columns; /* k as the kernel is given it */
};

static void run(void *context, unsigned member, unsigned sample)
{
    (void)member, (void)sample;
    struct job *job = context;
    const struct cell *cell = job->cell;
    const struct prepare_cell *own = job->own;
    const void *taken = cell->kernel && cell->kernel->takes == KERNEL_TAKES_F32 ? job->x : job->q;
    for (unsigned i = 0; i < cell->repeats; i++) {
        struct quantized result = {0};
        if (own->quantizer)
            result = own->bf16 ? own->quantizer->from_bf16(job->x, own->k, job->q)
                               : own->quantizer->from_f32(job->x, own->k, job->q);
        __asm__ volatile("" ::"r"(result.sum) : "memory");
        if (cell->kernel)
            cell->kernel->prepare(taken, job->columns, job->operand);
    }
}

static void draw(struct session *session, const struct prepare_cell *own, void *x)
{
    for (size_t i = 0; i < own->k; i++) {
        float value = (float)((double)(session_random(session) >> 40) / (1 << 23) - 1.0);
        if (own->bf16) {
            uint32_t bits;
            memcpy(&bits, &value, sizeof bits);
            ((uint16_t *)x)[i] = (uint16_t)(bits >> 16);
        } else {
            ((float *)x)[i] = value;
        }
    }
}

static int visit(struct session *session, struct cell *cell, unsigned count)
{
    struct team *team = session_team(session, cell->threads, cell->why, sizeof cell->why);
    if (!team)
        return -EINVAL;
    const struct prepare_cell *own = prepare_cell(cell);
    struct job job = {.cell = cell, .own = own};
    job.columns = cell->kernel ? format_columns(cell->kernel->format, own->k) : own->k;
    size_t readable = (job.columns + 63) / 64 * 64;
    job.x = calloc(readable, sizeof(float));
    job.q = calloc(readable, 1);
    struct sample *samples = calloc(count, sizeof *samples);
    int error = job.x && job.q && samples ? 0 : -ENOMEM;
    if (cell->kernel) {
        job.operand = aligned_alloc(64, (kernel_prepared_bytes(cell->kernel, own->k) + 63) / 64 * 64);
        error = job.operand ? error : -ENOMEM;
    }
    if (!error) {
        draw(session, own, job.x);
        for (size_t i = 0; i < own->k; i++)
            job.q[i] = (int8_t)((int)(session_random(session) >> 40) % 255 - 127);
        struct sampler_work work = {.context = &job, .region = cell->name, .run = run};
        run(&job, 0, 0);
        error = sampler_take(team, &session->instruments, &work, samples, count);
    }
    if (!error)
        error = samples_append(&cell->samples, samples, count);
    free(job.operand);
    free(job.x);
    free(job.q);
    free(samples);
    return error;
}

/* ---- what they say ---- */

/** Whether a cell is all that a kernel's operand takes. */
static bool prepares_for(const struct cell *cell, const struct kernel *kernel, size_t k)
{
    const struct prepare_cell *own = prepare_cell(cell);
    bool quantizes = kernel->takes == KERNEL_TAKES_INT8;
    return own && own->k == k && cell->samples.count && !own->bf16 &&
           cell->kernel == (kernel->prepare ? kernel : NULL) && quantizes == (own->quantizer != NULL);
}

double prepare_time(const struct cells *cells, const struct kernel *kernel, size_t k)
{
    double least_s = NAN;
    if (!kernel->prepare && kernel->takes == KERNEL_TAKES_F32)
        return 0;
    for (size_t i = 0; i < cells->count; i++) {
        if (prepares_for(&cells->cell[i], kernel, k))
            least_s = fmin(least_s, summary_stated(summary_time(&cells->cell[i])));
    }
    return least_s;
}

static json_t *named(const struct cell *cell)
{
    const struct prepare_cell *own = prepare_cell(cell);
    if (cell->kernel)
        return json_pack("{s:s, s:s, s:s, s:s, s:I, s:s?}", "type", "prepare", "name",
                         own->quantizer || cell->kernel->takes == KERNEL_TAKES_F32 ? "operand" : "tables", "kernel",
                         cell->kernel->name, "isa", cell->kernel->isa, "k", (json_int_t)own->k, "quantizer",
                         own->quantizer ? own->quantizer->name : NULL);
    return json_pack("{s:s, s:s, s:s, s:s, s:I}", "type", "prepare", "name",
                     own->bf16 ? "quantize.bf16" : "quantize.f32", "quantizer", own->quantizer->name, "isa",
                     own->quantizer->isa, "k", (json_int_t)own->k);
}

static json_t *record_of(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    (void)session, (void)cells;
    json_t *record = named(cell);
    field_set_quantity(record, "time_s", summary_time(cell), "s");
    field_set_proof(record, cell);
    return record;
}

/** What all kernels make of one tensor, and the operands of the kernels and shapes that GEMVs are planned of. */
static int plan(struct cells *cells, const struct planning *planning)
{
    int error = prepare_add(cells, planning->session, PLANNED_K);
    for (size_t i = 0; !error && i < planning->shape_count; i++) {
        for (const struct kernel *const *kernel = kernel_all(); !error && *kernel; kernel++) {
            if (gemv_tier_of(planning->session, *kernel, &planning->shapes[i]) < GEMV_TIERS)
                error = prepare_add_operand(cells, planning->session, *kernel, planning->shapes[i].k);
        }
    }
    return error;
}

/** Operands of a kernel, and the quantizers, at the K of the reference shape; of others at any other. */
static enum cell_value value(const struct planning *planning, const struct cell *cell)
{
    (void)planning;
    if (prepare_cell(cell)->k != PLANNED_K)
        return CELL_BREADTH;
    return cell->kernel ? CELL_REFERENCE : CELL_KERNELS;
}

static struct cell_cost cost(const struct session *session, const struct cell *cell)
{
    (void)session;
    /* a nanosecond to quantize or pack an activation, some tens where tables are made of it */
    double activation_s = cell->kernel ? 1e-8 : 1e-9;
    return (struct cell_cost){.visit_s = 5e-4,
                              .sample_s = 5e-5 + activation_s * cell->repeats * (double)prepare_cell(cell)->k};
}

const struct cell_kind cell_kind_prepare = {
    .name = "prepare",
    .own = sizeof(struct prepare_cell),
    .plan = plan,
    .visit = visit,
    .rank = 30,
    .value = value,
    .cost = cost,
    .record = record_of,
};
