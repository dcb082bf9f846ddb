/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plan/plan.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plan/plan_rounds.h"
#include "harness/plugin/plugin_crash.h"
#include "platforms/clock.h"

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

size_t plan_team_sizes(unsigned widest, unsigned sizes[16])
{
    size_t count = 0;
    for (unsigned size = 1; size < widest && count < 15; size *= 2)
        sizes[count++] = size;
    sizes[count++] = widest;
    return count;
}

/* ---- execution ---- */

static unsigned samples_of(const struct session *session, const struct cell *cell, unsigned count,
                           const struct execution *execution)
{
    double lap = cell->kind == CELL_GEMV && cell->cold ? (double)measure_gemv_places(session, cell) : 0;
    double least = ceil(execution->cold_laps * lap);
    return least > count ? (unsigned)least : count;
}

/** Name of what a cell runs; NULL: neither kernel nor sequence. */
static const char *subject_of(const struct cell *cell)
{
    return cell->kernel ? cell->kernel->name : cell->sequence ? cell->sequence->name : NULL;
}

/** Whose code that is; NULL: ours. */
static const struct plugin *plugin_of(const struct session *session, const struct cell *cell)
{
    return cell->kernel     ? plugins_of_kernel(&session->plugins, cell->kernel)
           : cell->sequence ? plugins_of_sequence(&session->plugins, cell->sequence)
                            : NULL;
}

static int visit_one(struct session *session, struct cell *cell, unsigned count, const struct execution *execution)
{
    size_t first = cell->samples.count, roof_first = cell->roof.count;
    plugin_crash_now(plugin_of(session, cell) ? subject_of(cell) : NULL);
    int error = cell_visit(session, cell, samples_of(session, cell, count, execution));
    plugin_crash_now(NULL);
    if (!error && execution->visited)
        execution->visited(execution->context, cell, first, roof_first);
    return error;
}

void plan_shuffle(struct session *session, size_t *order, size_t count)
{
    for (size_t i = count; i > 1; i--) {
        size_t j = session_random(session) % i;
        size_t swap = order[i - 1];
        order[i - 1] = order[j];
        order[j] = swap;
    }
}

/** Cells of a plug-in's kernel that was caught in another cell. */
static bool is_withheld(const struct session *session, struct cell *cell)
{
    const struct plugin_fault *fault = subject_of(cell) ? plugins_fault(&session->plugins, subject_of(cell)) : NULL;
    if (fault)
        snprintf(cell->why, sizeof cell->why, "%s", fault->why);
    return fault;
}

/** A wrong kernel of a plug-in ends its own cells alone. @return -ENOENT it is one of ours */
static int withhold(struct session *session, const struct cell *cell)
{
    const struct plugin *plugin = plugin_of(session, cell);
    return plugin ? plugins_withhold(&session->plugins, plugin, subject_of(cell), cell->why) : -ENOENT;
}

int plan_visit_round(struct session *session, struct plan *plan, const size_t *order, size_t count, unsigned samples,
                     const struct execution *execution, double done, double part, size_t *failed)
{
    for (size_t i = 0; i < count; i++) {
        struct cell *cell = &plan->cells.cell[order[i]];
        if (execution->stop && *execution->stop)
            return -EINTR;
        if (execution->deadline_s > 0 && clock_monotonic_s() + cell->last_visit_s > execution->deadline_s)
            return -ETIME;
        if (execution->progress)
            execution->progress(execution->context, done + part * (double)i / (double)count, cell->name);
        if (cell->why[0] || is_withheld(session, cell))
            continue;
        int error = visit_one(session, cell, samples, execution);
        if (error && !cell->why[0])
            snprintf(cell->why, sizeof cell->why, "%s: %s", cell->name, strerror(-error));
        if (error == -EILSEQ && withhold(session, cell) == 0)
            continue;
        if (error && (!execution->keep_going || error == -EILSEQ)) {
            *failed = order[i];
            return error;
        }
    }
    return 0;
}

static bool same_filling(const struct cell *a, const struct cell *b)
{
    const struct format *format = a->kind == CELL_GEMV ? a->kernel->format : NULL;
    return format && format->fill && b->kind == CELL_GEMV && b->kernel->format == format &&
           (format_is_uniform(format) || a->k == b->k);
}

/** Bring the cells that read the same filling of the pool behind the first of them. 0 or -ENOMEM */
static int gather_fillings(const struct plan *plan, size_t *order, size_t count)
{
    size_t *gathered = calloc(count + 1, sizeof *gathered), done = 0;
    if (!gathered)
        return -ENOMEM;
    for (size_t i = 0; i < count; i++) {
        if (order[i] == SIZE_MAX)
            continue;
        const struct cell *head = &plan->cells.cell[order[i]];
        for (size_t j = i; j < count; j++) {
            if (j > i && (order[j] == SIZE_MAX || !same_filling(head, &plan->cells.cell[order[j]])))
                continue;
            gathered[done++] = order[j];
            order[j] = SIZE_MAX;
        }
    }
    memcpy(order, gathered, count * sizeof *order);
    free(gathered);
    return 0;
}

int plan_visit(struct session *session, struct plan *plan, size_t first, size_t end, unsigned rounds, unsigned count,
               const struct execution *execution, size_t *failed)
{
    size_t cells = end - first;
    size_t *order = calloc(cells + 1, sizeof *order);
    if (!order)
        return -ENOMEM;
    for (size_t i = 0; i < cells; i++)
        order[i] = first + i;
    int error = 0;
    for (unsigned round = 0; !error && round < rounds; round++) {
        plan_shuffle(session, order, cells);
        error = gather_fillings(plan, order, cells);
        if (error)
            break;
        error = plan_visit_round(session, plan, order, cells, count, execution, (double)round / rounds, 1.0 / rounds,
                                 failed);
    }
    free(order);
    return error;
}

static bool is_settled(const struct cell *cell, size_t wanted)
{
    if (cell->why[0])
        return true;
    if (cell->kind != CELL_GAMMA)
        return summary_time(cell).summary.n >= wanted;
    struct graded gamma = summary_gamma(cell);
    return strcmp(gamma.grade, "wall") != 0 && gamma.summary.n >= wanted;
}

int plan_settle(struct session *session, struct plan *plan, size_t first, size_t end, size_t wanted, double patience_s,
                const struct execution *execution, size_t *failed)
{
    size_t *order = calloc(end - first + 1, sizeof *order);
    if (!order)
        return -ENOMEM;
    struct execution patient = *execution;
    double give_up_s = clock_monotonic_s() + patience_s;
    if (patient.deadline_s <= 0 || give_up_s < patient.deadline_s)
        patient.deadline_s = give_up_s;
    int error = 0;
    size_t count;
    do {
        count = 0;
        for (size_t i = first; i < end; i++) {
            if (!is_settled(&plan->cells.cell[i], wanted))
                order[count++] = i;
        }
        plan_shuffle(session, order, count);
        if (count)
            error = plan_visit_round(session, plan, order, count, 6, &patient, 0, 1, failed);
    } while (count && !error);
    free(order);
    return error == -ETIME ? 0 : error;
}

/** Whether a gamma cell is the best usable of its sequence, or next to that in accumulators. */
static bool is_near_best(const struct plan *plan, const struct cell *cell)
{
    unsigned best = 0;
    if (cell->kind != CELL_GAMMA || cell->why[0] ||
        !isfinite(summary_best_gamma_on(&plan->cells, cell->sequence->name, cell->member, &best)))
        return false;
    return cell->variant->accumulators + 1 >= best && cell->variant->accumulators <= best + 1;
}

int plan_refine_gamma(struct session *session, struct plan *plan, size_t first, size_t end, unsigned rounds,
                      unsigned count, const struct execution *execution, size_t *failed)
{
    enum { CHANGES_OF_MIND = 3 };
    size_t *order = calloc(end - first + 1, sizeof *order), chosen = 1;
    unsigned *visits = calloc(end - first + 1, sizeof *visits);
    int error = order && visits ? 0 : -ENOMEM;
    for (size_t i = first; !error && i < end; i++)
        visits[i - first] = plan->cells.cell[i].visits;
    for (unsigned pass = 0; !error && chosen && pass < CHANGES_OF_MIND; pass++) {
        chosen = 0;
        for (size_t i = first; i < end; i++) {
            if (plan->cells.cell[i].visits == visits[i - first] && is_near_best(plan, &plan->cells.cell[i]))
                order[chosen++] = i;
        }
        for (unsigned round = 0; !error && chosen && round < rounds; round++) {
            plan_shuffle(session, order, chosen);
            error = plan_visit_round(session, plan, order, chosen, count, execution, (double)round / rounds,
                                     1.0 / rounds, failed);
        }
    }
    free(order);
    free(visits);
    return error;
}

int plan_sweep_gamma(struct session *session, struct plan *plan, size_t first, size_t end,
                     const struct execution *execution, size_t *failed)
{
    enum { SWEEP_SAMPLES = 12, SWEEP_VISITS = 2, BEST_SAMPLES = 48, BEST_VISITS = 4 };
    int error = plan_visit(session, plan, first, end, SWEEP_VISITS, SWEEP_SAMPLES / SWEEP_VISITS, execution, failed);
    return error ? error
                 : plan_refine_gamma(session, plan, first, end, BEST_VISITS, BEST_SAMPLES / BEST_VISITS, execution,
                                     failed);
}

struct ranked {
    size_t index;
    double bandwidth;
};

static int faster_first(const void *a, const void *b)
{
    double x = ((const struct ranked *)a)->bandwidth, y = ((const struct ranked *)b)->bandwidth;
    return (x < y) - (x > y);
}

static size_t keep_fastest(const struct plan *plan, size_t *order, size_t count, size_t keep)
{
    struct ranked *ranked = calloc(count, sizeof *ranked);
    if (!ranked)
        return count;
    for (size_t i = 0; i < count; i++) {
        double bandwidth = summary_bandwidth(&plan->cells.cell[order[i]]).summary.median;
        ranked[i] = (struct ranked){order[i], bandwidth > 0 ? bandwidth : 0};
    }
    qsort(ranked, count, sizeof *ranked, faster_first);
    for (size_t i = 0; i < count; i++)
        order[i] = ranked[i].index;
    free(ranked);
    return count < keep ? count : keep;
}

/** The fastest finalists become the session's roof of this level and team size; order is fastest first. */
static void store_roof(struct session *session, const struct plan *plan, const size_t *order, size_t count)
{
    const struct cell *best = count ? &plan->cells.cell[order[0]] : NULL;
    if (!best || !(summary_bandwidth(best).summary.median > 0))
        return;
    struct session_roof roof = {
        .bytes_per_s = summary_bandwidth(best).summary.median,
        .bytes_per_cycle_per_core = summary_beta(best).summary.median,
    };
    for (size_t i = 0; i < count && roof.count < SESSION_ROOF_STREAMS; i++) {
        const struct cell *cell = &plan->cells.cell[order[i]];
        roof.streams[roof.count++] = (struct session_stream){cell->stream, cell->stream_variant, cell->prefetch_bytes};
    }
    session_set_roof(session, best->level, best->threads, &roof);
}

static bool any_kept(const struct plan *plan, const size_t *order, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (summary_bandwidth(&plan->cells.cell[order[i]]).summary.median > 0)
            return true;
    }
    return false;
}

int plan_find_roof(struct session *session, struct plan *plan, size_t first, size_t end,
                   const struct execution *execution, size_t *failed)
{
    enum { ROOF_TRIES = 8 };
    unsigned most = execution->roof_samples ? execution->roof_samples : 18;
    const struct {
        size_t keep;
        unsigned rounds, samples;
    } stage[] = {{SIZE_MAX, 1, most < 3 ? most : 3},
                 {24, 1, most < 5 ? most : 5},
                 {8, most < 3 ? 1 : 3, most < 3 ? most : most / 3}};

    size_t count = end - first;
    size_t *order = calloc(count + 1, sizeof *order);
    if (!order)
        return -ENOMEM;
    for (size_t i = 0; i < count; i++)
        order[i] = first + i;
    int error = 0;
    for (size_t s = 0; !error && s < sizeof stage / sizeof *stage; s++) {
        count = keep_fastest(plan, order, count, stage[s].keep);
        for (unsigned round = 0; !error && round < stage[s].rounds; round++) {
            plan_shuffle(session, order, count);
            error =
                plan_visit_round(session, plan, order, count, stage[s].samples, execution,
                                 ((double)s + (double)round / stage[s].rounds) / 3, 1.0 / 3 / stage[s].rounds, failed);
        }
    }
    for (unsigned more = 0; !error && more < ROOF_TRIES && !any_kept(plan, order, count); more++) {
        plan_shuffle(session, order, count);
        error = plan_visit_round(session, plan, order, count, most < 3 ? most : 3, execution, 1, 0, failed);
    }
    count = keep_fastest(plan, order, count, SESSION_ROOF_STREAMS);
    store_roof(session, plan, order, count);
    free(order);
    return error;
}

/** Append one more name, behind a separator. */
static void join(char *list, size_t size, const char *separator, const char *name)
{
    size_t length = strlen(list);
    snprintf(list + length, size - length, "%s%s", length ? separator : "", name);
}

/** Add the places "[paper, figure]" that are not there yet. */
static void join_places(struct shape *shape, const char *places)
{
    for (const char *at = strchr(places, '['); at; at = strchr(at + 1, '[')) {
        char place[SHAPE_TIMED_BY];
        snprintf(place, sizeof place, "%.*s", (int)strcspn(at, "]") + 1, at);
        if (!strstr(shape->timed_by, place))
            join(shape->timed_by, sizeof shape->timed_by, " ", place);
    }
}

size_t plan_distinct_shapes(struct shape *shapes, size_t capacity, char (*models)[CELL_NAMES],
                            char (*roles)[CELL_NAMES])
{
    struct shape all[SHAPES_MAX];
    size_t count = 0, total = shapes_all(all, SHAPES_MAX);
    for (size_t i = 0; i < total; i++) {
        size_t j = 0;
        while (j < count && (shapes[j].m != all[i].m || shapes[j].k != all[i].k))
            j++;
        if (j == count && count == capacity)
            continue;
        if (j == count) {
            shapes[count] = all[i];
            models[count][0] = roles[count][0] = 0;
            count++;
        }
        join(models[j], CELL_NAMES, ",", all[i].model);
        join(roles[j], CELL_NAMES, ",", all[i].roles);
        join_places(&shapes[j], all[i].timed_by);
    }
    return count;
}
