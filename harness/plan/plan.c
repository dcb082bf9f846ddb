/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plan/plan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void plan_release(struct plan *plan)
{
    for (size_t i = 0; i < plan->cells.count; i++)
        cell_release(&plan->cells.cell[i]);
    free(plan->cells.cell);
    *plan = (struct plan){0};
}

struct cell *plan_add(struct plan *plan)
{
    if (plan->cells.count == plan->capacity) {
        size_t capacity = plan->capacity ? 2 * plan->capacity : 64;
        struct cell *grown = realloc(plan->cells.cell, capacity * sizeof *grown);
        if (!grown)
            return NULL;
        plan->cells.cell = grown;
        plan->capacity = capacity;
    }
    struct cell *cell = &plan->cells.cell[plan->cells.count++];
    *cell = (struct cell){.threads = 1};
    return cell;
}

/** on: "" or the kind of core, which then is part of the name. */
static int add_gamma(struct plan *plan, const struct sequence *sequence, unsigned accumulators, unsigned member,
                     const char *on)
{
    for (uint64_t i = 0; i < sequence->variants; i++) {
        const struct sequence_variant *variant = &sequence->variant[i];
        if (accumulators && variant->accumulators != accumulators)
            continue;
        struct cell *cell = plan_add(plan);
        if (!cell)
            return -ENOMEM;
        cell->kind = CELL_GAMMA;
        cell->sequence = sequence;
        cell->variant = variant;
        cell->member = member;
        snprintf(cell->name, sizeof cell->name, "gamma/%s/a%lu%s%s", sequence->name,
                 (unsigned long)variant->accumulators, *on ? "/" : "", on);
    }
    return 0;
}

int plan_add_gamma(struct plan *plan, const struct sequence *sequence, unsigned accumulators)
{
    return add_gamma(plan, sequence, accumulators, 0, "");
}

int plan_add_gamma_of_kinds(struct plan *plan, const struct session *session, const struct sequence *sequence)
{
    int error = plan_add_gamma(plan, sequence, 0);
    for (unsigned member = 1; !error && member < session->threads; member++) {
        if (!session_leads_kind(session, member))
            continue;
        const struct topology_core *core = topology_core_of_cpu(session->machine.topology, session->cpus[member]);
        error = add_gamma(plan, sequence, 0, member, core_kind_name(core->kind));
    }
    return error;
}

/* ---- read streams ---- */

enum { BETA_BYTES = 1024 * SESSION_STREAM_UNIT };

static int add_stream(struct plan *plan, const struct session *session, const char *level, unsigned threads,
                      const struct stream *stream, const struct stream_variant *variant, size_t distance)
{
    struct cell *cell = plan_add(plan);
    if (!cell)
        return -ENOMEM;
    cell->kind = CELL_BETA;
    cell->threads = threads;
    cell->stream = stream;
    cell->stream_variant = variant;
    cell->prefetch_bytes = distance;
    cell->level = level;
    cell->cold = strcmp(level, "memory") == 0;
    cell->bytes = BETA_BYTES;
    cell->repeats = 1;
    if (!cell->cold) {
        cell->bytes = session_cache_bytes(session, level, threads);
        cell->repeats = (unsigned)((4u << 20) / cell->bytes) + 1;
    }
    char label[80];
    session_stream_label(&(struct session_stream){stream, variant, distance}, label, sizeof label);
    snprintf(cell->name, sizeof cell->name, "beta/%s/t%u/%s", level, threads, label);
    return 0;
}

int plan_add_beta(struct plan *plan, const struct session *session, const char *level, unsigned threads)
{
    static const size_t distances[] = {512, 1024, 2048, 4096, 8192};
    bool memory = strcmp(level, "memory") == 0;
    for (const struct stream *const *stream = stream_all(); *stream; stream++) {
        if (!session_runs(session, (*stream)->isa))
            continue;
        for (uint32_t v = 0; v < (*stream)->count; v++) {
            const struct stream_variant *variant = &(*stream)->variants[v];
            size_t tried = variant->hint ? sizeof distances / sizeof *distances : 1;
            if (!memory && variant->hint)
                continue;
            for (size_t d = 0; d < tried; d++) {
                if (add_stream(plan, session, level, threads, *stream, variant, variant->hint ? distances[d] : 0))
                    return -ENOMEM;
            }
        }
    }
    return 0;
}

/* ---- the others ---- */

int plan_add_sync(struct plan *plan, unsigned threads)
{
    struct cell *cell = plan_add(plan);
    if (!cell)
        return -ENOMEM;
    cell->kind = CELL_SYNC;
    cell->threads = threads;
    cell->repeats = 100;
    snprintf(cell->name, sizeof cell->name, "sync/barrier/t%u", threads);
    return 0;
}

static struct cell *add_prepare(struct plan *plan, size_t k)
{
    struct cell *cell = plan_add(plan);
    if (cell) {
        cell->kind = CELL_PREPARE;
        cell->k = k;
        cell->repeats = (unsigned)(65536 / k) + 1;
    }
    return cell;
}

int plan_add_prepare(struct plan *plan, const struct session *session, size_t k)
{
    for (const struct quantizer *const *quantizer = quantizer_all(); *quantizer; quantizer++) {
        for (int bf16 = 0; bf16 < 2 && session_runs(session, (*quantizer)->isa); bf16++) {
            struct cell *cell = add_prepare(plan, k);
            if (!cell)
                return -ENOMEM;
            cell->quantizer = *quantizer;
            cell->bf16 = bf16;
            snprintf(cell->name, sizeof cell->name, "prepare/%s/%s/%zu", bf16 ? "bf16" : "f32", (*quantizer)->name, k);
        }
    }
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        char why[160];
        if (!(*kernel)->prepare || (*kernel)->takes != KERNEL_TAKES_INT8 || !session_runs(session, (*kernel)->isa) ||
            format_accepts((*kernel)->format, 1, k, why, sizeof why))
            continue;
        struct cell *cell = add_prepare(plan, k);
        if (!cell)
            return -ENOMEM;
        cell->kernel = *kernel;
        snprintf(cell->name, sizeof cell->name, "prepare/tables/%s/%zu", (*kernel)->name, k);
    }
    return 0;
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

static bool has_cell(const struct plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->cells.count; i++) {
        if (strcmp(plan->cells.cell[i].name, name) == 0)
            return true;
    }
    return false;
}

int plan_add_operand(struct plan *plan, const struct session *session, const struct kernel *kernel, size_t k)
{
    const struct quantizer *quantizer = kernel->takes == KERNEL_TAKES_INT8 ? best_quantizer(session) : NULL;
    char name[160];
    if (kernel->prepare)
        snprintf(name, sizeof name, "prepare/operand/%s/%zu", kernel->name, k);
    else if (quantizer)
        snprintf(name, sizeof name, "prepare/f32/%s/%zu", quantizer->name, k);
    if ((!kernel->prepare && !quantizer) || has_cell(plan, name))
        return 0;
    struct cell *cell = add_prepare(plan, k);
    if (!cell)
        return -ENOMEM;
    cell->kernel = kernel->prepare ? kernel : NULL;
    cell->quantizer = quantizer;
    snprintf(cell->name, sizeof cell->name, "%s", name);
    return 0;
}

int plan_add_gemv(struct plan *plan, const struct kernel *kernel, const struct shape *shape, unsigned threads,
                  bool cold)
{
    struct cell *cell = plan_add(plan);
    if (!cell)
        return -ENOMEM;
    cell->kind = CELL_GEMV;
    cell->kernel = kernel;
    cell->threads = threads;
    cell->m = shape->m;
    cell->k = shape->k;
    cell->cold = cold;
    snprintf(cell->models, sizeof cell->models, "%s", shape->model);
    snprintf(cell->roles, sizeof cell->roles, "%s", shape->roles);
    snprintf(cell->name, sizeof cell->name, "gemv/%s/%zux%zu/t%u/%s", kernel->name, shape->m, shape->k, threads,
             cold ? "cold" : "warm");
    return 0;
}

int plan_add_gemvs(struct plan *plan, const struct kernel *kernel, const struct shape *shape, const unsigned *sizes,
                   size_t teams, bool cold, bool warm)
{
    int error = 0;
    for (size_t t = 0; !error && t < teams; t++) {
        if (cold)
            error = plan_add_gemv(plan, kernel, shape, sizes[t], true);
        if (!error && warm)
            error = plan_add_gemv(plan, kernel, shape, sizes[t], false);
    }
    return error;
}

size_t plan_team_sizes(unsigned widest, unsigned sizes[16])
{
    size_t count = 0;
    for (unsigned size = 1; size < widest && count < 15; size *= 2)
        sizes[count++] = size;
    sizes[count++] = widest;
    return count;
}
