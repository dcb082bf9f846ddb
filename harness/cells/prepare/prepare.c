/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What happens to the activations before a GEMV: quantization of one tensor of k values, the tables or blocks that a
 * kernel makes of what it takes, or both in turn, from f32 to a kernel's operand. One core, data in its caches as after
 * the layer before.
 */
#include "harness/cells/prepare/prepare.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/fields.h"
#include "harness/cells/cell/kind.h"
#include "harness/cells/product/main_kernels.h"
#include "micro/quantization/column_order.h"

/** Activations of one sample, so that the meeting of the team does not show. */
enum { SAMPLE_ACTIVATIONS = 65536 };

/** Tokens are prepared together only where there are several. */
static size_t tokens_of(const struct prepare_cell *own)
{
    return own->tokens ? own->tokens : 1;
}

/** Of the tensor that a characterization quantizes with everything. */
enum { PLANNED_K = 4096 };

/* ---- which cells ---- */

static int add(struct cells *cells, const struct kernel *kernel, const struct prepare_cell *own, const char *name)
{
    struct cell *cell = cells_add(cells, &cell_kind_prepare);
    if (!cell)
        return -ENOMEM;
    *prepare_cell(cell) = *own;
    cell->kernel = kernel;
    cell->repeats = (unsigned)(SAMPLE_ACTIVATIONS / own->k / tokens_of(own)) + 1;
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
        if (session_runs(session, (*kernel)->isa))
            error = prepare_add_tables(cells, *kernel, k);
    }
    return error;
}

int prepare_add_tables(struct cells *cells, const struct kernel *kernel, size_t k)
{
    char text[160];
    if (!kernel->prepare || kernel->takes != KERNEL_TAKES_INT8 || kernel_accepts_k(kernel, k, text, sizeof text))
        return 0;
    snprintf(text, sizeof text, "prepare/tables/%s/%zu", kernel->name, k);
    return cells_find(cells, text) ? 0 : add(cells, kernel, &(struct prepare_cell){.k = k}, text);
}

const struct quantizer *prepare_quantizer(const struct session *session)
{
    const struct quantizer *best = NULL;
    for (const struct quantizer *const *at = quantizer_all(); *at; at++) {
        if (session_runs(session, (*at)->isa) &&
            (!best || isa_find((*at)->isa)->priority > isa_find(best->isa)->priority))
            best = *at;
    }
    return best;
}

/** Whether a kernel reads anything but what it takes: an operand, or what it takes in its matrices' order. */
static bool makes_operand(const struct kernel *kernel)
{
    return kernel->prepare || kernel->format->order_columns;
}

static bool makes_operand_of_tokens(const struct kernel *kernel)
{
    return kernel->gemm.prepare_many || kernel->format->order_columns;
}

int prepare_add_operand(struct cells *cells, const struct session *session, const struct kernel *kernel, size_t k)
{
    const struct quantizer *quantizer = kernel->takes == KERNEL_TAKES_INT8 ? prepare_quantizer(session) : NULL;
    char name[160];
    bool makes = makes_operand(kernel);
    if (makes)
        snprintf(name, sizeof name, "prepare/operand/%s/%zu", kernel->name, k);
    else if (quantizer)
        snprintf(name, sizeof name, "prepare/f32/%s/%zu", quantizer->name, k);
    if ((!makes && !quantizer) || cells_find(cells, name))
        return 0;
    int error = add(cells, makes ? kernel : NULL, &(struct prepare_cell){.quantizer = quantizer, .k = k}, name);
    if (error || !kernel->prepare || !kernel->format->order_columns)
        return error;
    snprintf(name, sizeof name, "prepare/unordered/%s/%zu", kernel->name, k);
    return add(cells, kernel, &(struct prepare_cell){.quantizer = quantizer, .k = k, .unordered = true}, name);
}

int prepare_add_tokens(struct cells *cells, const struct session *session, const struct kernel *kernel, size_t k,
                       size_t tokens)
{
    const struct quantizer *quantizer = kernel->takes == KERNEL_TAKES_INT8 ? prepare_quantizer(session) : NULL;
    const struct kernel *prepares = makes_operand_of_tokens(kernel) ? kernel : NULL;
    char name[160];
    if (!prepares && !quantizer)
        return 0;
    snprintf(name, sizeof name, "prepare/tokens/%s/%zu/n%zu", prepares ? kernel->name : quantizer->name, k, tokens);
    if (cells_find(cells, name))
        return 0;
    return add(cells, prepares, &(struct prepare_cell){.quantizer = quantizer, .k = k, .tokens = tokens}, name);
}

/* ---- taking samples ---- */

struct job {
    const struct cell *cell;
    const struct prepare_cell *own;
    void *x;
    int8_t *q;
    void *operand;
    uint16_t *order; /* of column groups; NULL: none */
    void *ordered;   /* room for x or q in it */
    size_t columns;  /* k as the kernel is given it */
    size_t stride;   /* elements from one token to the next */
};

/** All tokens: quantized one by one, then put into groups. */
static void prepare_tokens(const struct job *job)
{
    const struct prepare_cell *own = job->own;
    const struct kernel *kernel = job->cell->kernel;
    for (size_t token = 0; own->quantizer && token < own->tokens; token++) {
        struct quantized result =
            own->quantizer->from_f32((const float *)job->x + token * job->stride, own->k, job->q + token * job->stride);
        __asm__ volatile("" ::"r"(result.sum) : "memory");
    }
    if (!kernel)
        return;
    const char *taken = kernel->takes == KERNEL_TAKES_F32 ? job->x : job->q;
    size_t token_bytes = job->stride * kernel_activation_bytes(kernel);
    bool copies = job->order && !kernel->ordered.prepare_many;
    for (size_t token = 0; copies && token < own->tokens; token++)
        column_order_copy(kernel, taken + token * token_bytes, job->columns, job->order,
                          (char *)job->ordered + token * token_bytes);
    if (!kernel->gemm.prepare_many)
        return;
    size_t group = kernel->gemm.tokens_per_group, bytes = kernel->gemm.prepared_bytes(job->columns);
    for (size_t token = 0; token < own->tokens; token += group) {
        size_t count = own->tokens - token < group ? own->tokens - token : group;
        const char *from = (copies ? (const char *)job->ordered : taken) + token * token_bytes;
        char *to = (char *)job->operand + token / group * bytes;
        if (job->order && !copies)
            kernel->ordered.prepare_many(from, job->stride, job->columns, count, job->order, to);
        else
            kernel->gemm.prepare_many(from, job->stride, job->columns, count, to);
    }
}

static void run(void *context, unsigned member, unsigned sample)
{
    (void)member, (void)sample;
    struct job *job = context;
    const struct cell *cell = job->cell;
    const struct prepare_cell *own = job->own;
    const void *taken = cell->kernel && cell->kernel->takes == KERNEL_TAKES_F32 ? job->x : job->q;
    for (unsigned i = 0; own->tokens && i < cell->repeats; i++)
        prepare_tokens(job);
    for (unsigned i = 0; !own->tokens && i < cell->repeats; i++) {
        struct quantized result = {0};
        if (own->quantizer)
            result = own->bf16 ? own->quantizer->from_bf16(job->x, own->k, job->q)
                               : own->quantizer->from_f32(job->x, own->k, job->q);
        __asm__ volatile("" ::"r"(result.sum) : "memory");
        if (cell->kernel && job->order)
            column_order_prepare(cell->kernel, taken, job->columns, job->order, job->ordered, job->operand);
        else if (cell->kernel)
            cell->kernel->prepare(taken, job->columns, job->operand);
    }
}

static void draw(struct session *session, const struct prepare_cell *own, void *x, size_t count)
{
    for (size_t i = 0; i < count; i++) {
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

/** Room for activations in the kernel's order, if its format has one. @return 0 or -ENOMEM */
static int lay_out_order(struct job *job, size_t bytes)
{
    const struct format *format = job->cell->kernel->format;
    if (job->own->unordered || !column_order_groups(format, job->own->k))
        return 0;
    job->order = calloc(column_order_groups(format, job->own->k), sizeof *job->order);
    job->ordered = aligned_alloc(64, bytes);
    if (!job->order || !job->ordered)
        return -ENOMEM;
    memset(job->ordered, 0, bytes);
    column_order_draw(format, job->own->k, job->order);
    return 0;
}

static int visit(struct session *session, struct cell *cell, unsigned count)
{
    if (!session_team(session, cell->threads, cell->why, sizeof cell->why))
        return -EINVAL;
    const struct prepare_cell *own = prepare_cell(cell);
    struct job job = {.cell = cell, .own = own};
    job.columns = cell->kernel ? format_columns(cell->kernel->format, own->k) : own->k;
    job.stride = (job.columns + 63) / 64 * 64;
    size_t readable = job.stride * tokens_of(own), operand = 0;
    job.x = calloc(readable, sizeof(float));
    job.q = calloc(readable, 1);
    int error = job.x && job.q ? 0 : -ENOMEM;
    if (cell->kernel) {
        operand = own->tokens ? kernel_gemm_prepared_bytes(cell->kernel, own->k, own->tokens)
                              : kernel_prepared_bytes(cell->kernel, own->k);
        job.operand = aligned_alloc(64, (operand + 63) / 64 * 64);
        error = job.operand ? error : -ENOMEM;
        error = lay_out_order(&job, readable * sizeof(float)) ? -ENOMEM : error;
    }
    if (!error) {
        draw(session, own, job.x, own->tokens ? readable : own->k);
        for (size_t i = 0; i < (own->tokens ? readable : own->k); i++)
            job.q[i] = (int8_t)((int)(session_random(session) >> 40) % 255 - 127);
        struct sampler_work work = {.context = &job, .region = cell->name, .run = run};
        run(&job, 0, 0);
        error = cell_take(session, cell, &work, count);
    }
    free(job.operand);
    free(job.order);
    free(job.ordered);
    free(job.x);
    free(job.q);
    return error;
}

/* ---- what they say ---- */

/** Whether a cell is all that a kernel's operand takes. */
static bool prepares_for(const struct cell *cell, const struct kernel *kernel, size_t k)
{
    const struct prepare_cell *own = prepare_cell(cell);
    bool quantizes = kernel->takes == KERNEL_TAKES_INT8;
    return own && own->k == k && !own->tokens && !own->unordered && cell->samples.count && !own->bf16 &&
           cell->kernel == (makes_operand(kernel) ? kernel : NULL) && quantizes == (own->quantizer != NULL);
}

double prepare_time(const struct cells *cells, const struct kernel *kernel, size_t k)
{
    double least_s = NAN;
    if (!makes_operand(kernel) && kernel->takes == KERNEL_TAKES_F32)
        return 0;
    for (size_t i = 0; i < cells->count; i++) {
        if (prepares_for(&cells->cell[i], kernel, k))
            least_s = fmin(least_s, summary_stated(summary_time(&cells->cell[i])));
    }
    return least_s;
}

double prepare_tokens_time(const struct cells *cells, const struct kernel *kernel, size_t k, size_t tokens)
{
    bool quantizes = kernel->takes == KERNEL_TAKES_INT8;
    if (!makes_operand_of_tokens(kernel) && !quantizes)
        return 0;
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        const struct prepare_cell *own = prepare_cell(cell);
        if (own && own->k == k && own->tokens == tokens && cell->samples.count &&
            cell->kernel == (makes_operand_of_tokens(kernel) ? kernel : NULL) && quantizes == (own->quantizer != NULL))
            return summary_stated(summary_time(cell));
    }
    return NAN;
}

static json_t *named(const struct cell *cell)
{
    const struct prepare_cell *own = prepare_cell(cell);
    if (own->tokens)
        return json_pack("{s:s, s:s, s:s?, s:s, s:I, s:I, s:s?}", "type", "prepare", "name", "tokens", "kernel",
                         cell->kernel ? cell->kernel->name : NULL, "isa",
                         cell->kernel ? cell->kernel->isa : own->quantizer->isa, "k", (json_int_t)own->k, "n",
                         (json_int_t)own->tokens, "quantizer", own->quantizer ? own->quantizer->name : NULL);
    if (cell->kernel)
        return json_pack("{s:s, s:s, s:s, s:s, s:I, s:s?}", "type", "prepare", "name",
                         own->unordered                                              ? "unordered"
                         : own->quantizer || cell->kernel->takes == KERNEL_TAKES_F32 ? "operand"
                                                                                     : "tables",
                         "kernel", cell->kernel->name, "isa", cell->kernel->isa, "k", (json_int_t)own->k, "quantizer",
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

/** Operands of a main kernel, those of others and the quantizers, at the K of the reference shape; all at any other. */
static enum cell_value value(const struct planning *planning, const struct cell *cell)
{
    if (prepare_cell(cell)->k != PLANNED_K)
        return CELL_BREADTH;
    return cell->kernel && gemv_is_main(planning->session, cell->kernel) ? CELL_REFERENCE : CELL_KERNELS;
}

static struct cell_cost cost(const struct session *session, const struct cell *cell)
{
    (void)session;
    /* a nanosecond to quantize or pack an activation, some tens where tables are made of it */
    double activation_s = cell->kernel ? 1e-8 : 1e-9;
    return (struct cell_cost){.visit_s = 5e-4,
                              .sample_s = 5e-5 + activation_s * cell->repeats * (double)prepare_cell(cell)->k *
                                                     (double)tokens_of(prepare_cell(cell))};
}

const struct cell_kind cell_kind_prepare = {
    .name = "prepare",
    .own = sizeof(struct prepare_cell),
    .plan = plan,
    .visit = visit,
    .apart = true,
    .rank = 30,
    .value = value,
    .cost = cost,
    .record = record_of,
};
