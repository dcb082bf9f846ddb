/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The bias budget: what a change of layout alone does here.
 */
#include "harness/cells/bias/bias.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/bias/bias_conditions.h"
#include "harness/cells/cell/fields.h"
#include "harness/cells/cell/kind.h"
#include "harness/measure/session_pool.h"
#include "platforms/clock/clock.h"
#include "platforms/cpu/isa.h"
#include "results/files/need.h"

/** A warm matrix that L2 holds, of 2 bits 256 KiB; a cold one as everywhere. */
enum { WARM_M = 512, WARM_K = 2048, COLD_M = 4096, COLD_K = 4096 };

/** Of one sample: long beside the clock's readings, short beside a timer tick. */
static const double SAMPLE_S = 40e-6;
enum { PROBE_ITERATIONS = 64, WARM_BYTES = 2 << 20 };

const char *bias_factor_name(enum bias_factor factor)
{
    static const char *const names[BIAS_FACTORS] = {"nothing", "code_alignment", "addresses", "stack",
                                                    "buffer",  "data",           "pages"};
    return names[factor];
}

const char *bias_subject_name(enum bias_subject subject)
{
    static const char *const names[BIAS_SUBJECTS] = {"gamma", "warm", "cold"};
    return names[subject];
}

bool bias_factor_is_layout(enum bias_factor factor)
{
    return factor == BIAS_CODE || factor == BIAS_ADDRESSES || factor == BIAS_STACK || factor == BIAS_BUFFER;
}

void bias_level_name(enum bias_factor factor, unsigned level, char *text, size_t size)
{
    static const char *const data[] = {"zeros", "random", "ones and 127", "ones and -127", "ones and -128"};
    static const unsigned step[BIAS_FACTORS] = {[BIAS_CODE] = CODE_OFFSET_BYTES,
                                                [BIAS_ADDRESSES] = BIAS_ADDRESS_STEP,
                                                [BIAS_STACK] = BIAS_STACK_STEP,
                                                [BIAS_BUFFER] = BIAS_BUFFER_STEP};
    text[0] = '\0';
    if (factor == BIAS_DATA)
        snprintf(text, size, "%s", data[level]);
    else if (factor == BIAS_PAGES)
        snprintf(text, size, "%s", level ? "base pages" : "huge pages");
    else if (step[factor])
        snprintf(text, size, "+%u B", step[factor] * level);
}

/* ---- which cells ---- */

/** Where memory is that noisy, fewer levels with more samples each. */
static unsigned levels_of(enum bias_subject subject, enum bias_factor factor)
{
    static const unsigned levels[BIAS_FACTORS] = {8, CODE_OFFSETS, 8, 16, 16, 5, 2};
    enum { COLD_LEVELS_MOST = 8 };
    return subject == BIAS_COLD && levels[factor] > COLD_LEVELS_MOST ? COLD_LEVELS_MOST : levels[factor];
}

/** Rounds of a cold cell for each that is asked for: a sample from memory scatters several times as much. */
enum { COLD_ROUNDS = 4 };

static unsigned rounds_of(const struct bias_cell *own, unsigned count)
{
    return own->subject == BIAS_COLD ? COLD_ROUNDS * count : count;
}

/** A GEMV is the work of a kernel, and its weights lie somewhere; the loop at 16 places is a sequence's. */
static bool has(enum bias_subject subject, enum bias_factor factor, const struct sequence *sequence)
{
    switch (factor) {
    case BIAS_CODE: return subject == BIAS_GAMMA && bias_code_offsets(sequence);
    case BIAS_BUFFER:
    case BIAS_PAGES: return subject != BIAS_GAMMA;
    case BIAS_DATA: return subject != BIAS_COLD;
    default: return true;
    }
}

/**
 * The kernel of the widest instruction set that runs here, of 2 bits, int8 and int32, with nothing prepared; the paper's rather
 * than another.
 */
static const struct kernel *choose_kernel(const struct session *session)
{
    const struct kernel *best = NULL;
    for (const struct kernel *const *at = kernel_all(); *at; at++) {
        const struct kernel *kernel = *at;
        const struct format *format = kernel->format;
        if (!kernel->gemv || !session_runs(session, kernel->isa) || kernel->takes != KERNEL_TAKES_INT8 ||
            kernel->gives != KERNEL_GIVES_INT32 || kernel->prepare || !format_is_uniform(format) || format->fill ||
            format->bits != 2 || plugins_of_kernel(&session->plugins, kernel))
            continue;
        int more = best ? isa_find(kernel->isa)->priority - isa_find(best->isa)->priority : 1;
        if (more > 0 || (more == 0 && strcmp(kernel->origin, "envelope") == 0))
            best = kernel;
    }
    return best;
}

static int add(struct cells *cells, const struct kernel *kernel, const struct sequence *sequence,
               enum bias_subject subject, enum bias_factor factor)
{
    struct cell *cell = cells_add(cells, &cell_kind_bias);
    if (!cell)
        return -ENOMEM;
    *bias_cell(cell) = (struct bias_cell){
        .subject = subject,
        .factor = factor,
        .levels = levels_of(subject, factor),
        .m = subject == BIAS_COLD ? COLD_M : WARM_M,
        .k = subject == BIAS_COLD ? COLD_K : WARM_K,
    };
    cell->threads = 1;
    cell->cold = subject == BIAS_COLD;
    if (subject == BIAS_GAMMA)
        cell->sequence = sequence;
    else
        cell->kernel = kernel;
    snprintf(cell->name, sizeof cell->name, "bias/%s/%s/%s", subject == BIAS_GAMMA ? sequence->name : kernel->name,
             bias_subject_name(subject), bias_factor_name(factor));
    return 0;
}

int bias_add(struct cells *cells, const struct session *session)
{
    const struct kernel *kernel = choose_kernel(session);
    const struct sequence *sequence = kernel ? sequence_find(kernel_gamma(kernel)) : NULL;
    int error = 0;
    for (unsigned i = 0; !error && kernel && i < BIAS_SUBJECTS * BIAS_FACTORS; i++) {
        enum bias_subject subject = (enum bias_subject)(i / BIAS_FACTORS);
        enum bias_factor factor = (enum bias_factor)(i % BIAS_FACTORS);
        if ((subject != BIAS_GAMMA || sequence) && has(subject, factor, sequence))
            error = add(cells, kernel, sequence, subject, factor);
    }
    return error;
}

/* ---- taking samples ---- */

unsigned bias_level_of(const struct cell *cell, size_t i)
{
    /* 3 divides no number of levels, so that each has its turn */
    unsigned levels = bias_cell(cell)->levels;
    return (unsigned)((3 * (i % levels) + 5 * (i / levels)) % levels);
}

struct job {
    struct bias_conditions conditions;
    size_t first; /* samples that the cell had before */
};

static void place(void *context, unsigned member, unsigned sample)
{
    struct job *job = context;
    (void)member;
    bias_condition_place(&job->conditions, bias_level_of(job->conditions.cell, job->first + sample));
}

static void run(void *context, unsigned member, unsigned sample)
{
    struct job *job = context;
    (void)member;
    bias_condition_run(&job->conditions, bias_level_of(job->conditions.cell, job->first + sample));
}

/** How often a sample repeats its work, once for all visits. */
static void size_sample(struct cell *cell, struct bias_conditions *conditions, double tsc_hz)
{
    cell->repeats = cell->repeats ? cell->repeats : 1;
    if (bias_cell(cell)->subject == BIAS_WARM && cell->repeats == 1)
        cell->repeats = (unsigned)(WARM_BYTES / conditions->matrix_bytes + 1);
    if (bias_cell(cell)->subject != BIAS_GAMMA || cell->iterations)
        return;
    cell->iterations = PROBE_ITERATIONS;
    bias_condition_run(conditions, 0);
    uint64_t begin = tsc_begin().ticks;
    bias_condition_run(conditions, 0);
    double seconds = (double)(tsc_end().ticks - begin) / tsc_hz;
    cell->iterations = seconds > 0 ? (uint64_t)(PROBE_ITERATIONS * SAMPLE_S / seconds) + 1 : PROBE_ITERATIONS;
}

static int take(struct session *session, struct cell *cell, struct job *job, unsigned total)
{
    struct sampler_work work = {.context = job, .region = cell->name, .before = place, .run = run};
    return cell_take(session, cell, &work, total);
}

static int visit(struct session *session, struct cell *cell, unsigned count)
{
    struct job *job = calloc(1, sizeof *job);
    if (!job)
        return -ENOMEM;
    job->first = cell->samples.count;
    int error = session_team(session, 1, cell->why, sizeof cell->why) ? 0 : -EINVAL;
    if (!error)
        error = bias_conditions_make(session, cell, &job->conditions);
    if (!error) {
        cell->verified = cell->exact = true;
        size_sample(cell, &job->conditions, session->instruments.tsc_hz);
        error = take(session, cell, job, rounds_of(bias_cell(cell), count) * bias_cell(cell)->levels);
    }
    bias_conditions_release(&job->conditions);
    free(job);
    return error;
}

/* ---- what they say ---- */

static bool is_core(const struct cell *cell)
{
    return bias_cell(cell)->subject != BIAS_COLD;
}

double bias_median(const struct cell *cell, unsigned level, size_t *n)
{
    double *value = need(cell->samples.count + 1, sizeof *value);
    *n = 0;
    for (size_t i = 0; value && i < cell->samples.count; i++) {
        const struct sample *sample = &cell->samples.sample[i];
        if (bias_level_of(cell, i) != level || sample->cause != SAMPLE_KEPT ||
            (is_core(cell) && sample->grade == SAMPLE_WALL))
            continue;
        value[(*n)++] = is_core(cell) ? sample->wall_s * sample->core_hz : sample->wall_s;
    }
    double work = cell->repeats ? cell->repeats : 1;
    double median = value && *n >= STATS_KEPT_LEAST ? stats_median(value, *n) / work : NAN;
    free(value);
    return median;
}

/** Of the level that has fewest. */
static size_t kept(const struct cell *cell)
{
    size_t least = SIZE_MAX;
    for (unsigned level = 0; level < bias_cell(cell)->levels; level++) {
        size_t n;
        bias_median(cell, level, &n);
        least = n < least ? n : least;
    }
    return least;
}

const struct cell *bias_control(const struct cells *cells, const struct cell *cell)
{
    for (size_t i = 0; i < cells->count; i++) {
        const struct bias_cell *other = bias_cell(&cells->cell[i]);
        if (other && other->factor == BIAS_NOTHING && other->subject == bias_cell(cell)->subject &&
            cells->cell[i].samples.count)
            return &cells->cell[i];
    }
    return NULL;
}

static struct layout_bias of_samples(const struct cell *cell)
{
    size_t levels = bias_cell(cell)->levels, rounds = cell->samples.count / levels;
    double *times = need(rounds * levels + 1, sizeof *times);
    for (size_t i = 0; times && i < rounds * levels; i++) {
        const struct sample *sample = &cell->samples.sample[i];
        bool counts = sample->cause == SAMPLE_KEPT && (!is_core(cell) || sample->grade != SAMPLE_WALL);
        times[i / levels * levels + bias_level_of(cell, i)] = !counts         ? NAN
                                                              : is_core(cell) ? sample->wall_s * sample->core_hz
                                                                              : sample->wall_s;
    }
    struct layout_bias bias = layout_bias_of(times, times ? rounds : 0, levels);
    free(times);
    return bias;
}

struct layout_bias bias_of(const struct cells *cells, const struct cell *cell)
{
    struct layout_bias bias = of_samples(cell);
    const struct cell *control = bias_control(cells, cell);
    if (bias_cell(cell)->factor != BIAS_NOTHING)
        bias.net = layout_bias_net(bias.net, control ? of_samples(control).net : NAN);
    return bias;
}

bool bias_is_floor(const struct bias_cell *bias, enum bias_subject subject)
{
    return bias->subject == subject && (bias->factor == BIAS_NOTHING || bias_factor_is_layout(bias->factor));
}

static json_t *levels_json(const struct cell *cell)
{
    json_t *levels = json_array();
    for (unsigned level = 0; level < bias_cell(cell)->levels; level++) {
        char name[32];
        size_t n;
        double median = bias_median(cell, level, &n);
        bias_level_name(bias_cell(cell)->factor, level, name, sizeof name);
        json_array_append_new(levels,
                              json_pack("{s:s, s:o, s:I}", "level", name, "median",
                                        isfinite(median) ? json_real(median) : json_null(), "n", (json_int_t)n));
    }
    return levels;
}

static json_t *record_of(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    const struct bias_cell *own = bias_cell(cell);
    (void)session;
    json_t *record =
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:b, s:s, s:o}", "type", "bias", "name",
                  cell->kernel ? cell->kernel->name : cell->sequence->name, "subject", bias_subject_name(own->subject),
                  "class", compare_class_name(is_core(cell) ? COMPARE_CORE : COMPARE_MEMORY), "factor",
                  bias_factor_name(own->factor), "layout", (int)bias_factor_is_layout(own->factor), "unit",
                  is_core(cell) ? "cycles" : "s", "levels", levels_json(cell));
    const struct layout_bias bias = bias_of(cells, cell);
    field_set_number(record, "spread", bias.spread);
    field_set_number(record, "distance", bias.distance);
    field_set_number(record, "noise", bias.noise);
    field_set_number(record, "net", bias.net);
    if (isnan(bias.spread)) {
        char why[96];
        snprintf(why, sizeof why, "a level has fewer than %d samples in rounds of which half were kept",
                 STATS_KEPT_LEAST);
        field_set(record, "reason", json_string(why));
    }
    return record;
}

static int plan(struct cells *cells, const struct planning *planning)
{
    return bias_add(cells, planning->session);
}

/**
 * A round counts only if most of its samples were kept, so on a busy machine these cells take long and often give no number: they
 * come after what a run is about. Comparisons need them, and have an order of their own (harness/plan/purposes/compare.c).
 */
static enum cell_value value(const struct planning *planning, const struct cell *cell)
{
    (void)planning, (void)cell;
    return CELL_STREAMS;
}

/** Of each level: its conditions are made and its result is checked in every visit. */
static struct cell_cost cost(const struct session *session, const struct cell *cell)
{
    static const double CHECK_S = 8e-3, COPY_S = 5e-3, FILL_S = 1e-9, COLD_S = 4e-4, CORE_S = 1.5e-4;
    const struct bias_cell *own = bias_cell(cell);
    bool cold = own->subject == BIAS_COLD;
    double made_s = (own->factor == BIAS_ADDRESSES ? COPY_S : 0) + (cold ? CHECK_S : 1e-3);
    double filled_s = cold && own->factor == BIAS_PAGES ? FILL_S * (double)session_cold_bytes(session, 1) : 0;
    return (struct cell_cost){.visit_s = own->levels * made_s + filled_s,
                              .sample_s = rounds_of(own, 1) * own->levels * (cold ? COLD_S : CORE_S)};
}

const struct cell_kind cell_kind_bias = {
    .name = "bias",
    .never_compared = true,
    .own = sizeof(struct bias_cell),
    .plan = plan,
    .visit = visit,
    .kept = kept,
    .rank = 46,
    .value = value,
    .cost = cost,
    .record = record_of,
};
