/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/cell/summary.h"

#include "harness/cells/cell/summary_derive.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Cycles need this many samples of one grade; with fewer the next lower grade is all there is. */
enum { GRADED_SAMPLES_LEAST = 3 };

/** Best grade that has enough values; wall takes all. */
static enum sample_grade best_grade(const size_t of_grade[SAMPLE_GRADES])
{
    for (int grade = SAMPLE_GRADES - 1; grade > SAMPLE_WALL; grade--) {
        if (of_grade[grade] >= GRADED_SAMPLES_LEAST)
            return (enum sample_grade)grade;
    }
    return SAMPLE_WALL;
}

/** Move the values of one grade to the front. @return how many there are */
static size_t select_grade(double *value, const enum sample_grade *grade, size_t count, enum sample_grade wanted)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (grade[i] == wanted)
            value[kept++] = value[i];
    }
    return kept;
}

/** Summarize what was kept of all that was asked for; value and grade are freed. */
static struct graded conclude(double *value, enum sample_grade *grade, size_t kept, size_t asked, bool cycles)
{
    struct graded result = {.grade = sample_grade_name(SAMPLE_WALL)};
    size_t of_grade[SAMPLE_GRADES] = {0};
    for (size_t i = 0; i < kept; i++)
        of_grade[grade[i]]++;
    if (cycles && best_grade(of_grade) != SAMPLE_WALL) {
        result.grade = sample_grade_name(best_grade(of_grade));
        kept = select_grade(value, grade, kept, best_grade(of_grade));
    }
    stats_summarize(value, kept, &result.summary);
    result.summary.rejected = asked - kept;
    free(value);
    free(grade);
    return result;
}

struct graded summary_derive(const struct cell *cell, size_t count, bool cycles, derive *value_of, unsigned stream)
{
    double *value = calloc(count + 1, sizeof *value);
    enum sample_grade *grade = calloc(count + 1, sizeof *grade);
    size_t kept = 0, asked = 0;
    for (size_t i = 0; value && grade && i < count; i++) {
        if (stream && cell->roof.sample[i].stream != stream)
            continue;
        asked++;
        /* not finite: the clock could not be timed */
        if (value_of(cell, i, &value[kept], &grade[kept]) && isfinite(value[kept]))
            kept++;
    }
    return conclude(value, grade, kept, asked, cycles);
}

static struct graded derive_all(const struct cell *cell, size_t count, bool cycles, derive *value_of)
{
    return summary_derive(cell, count, cycles, value_of, 0);
}

static bool keep(const struct sample *sample)
{
    return sample->cause == SAMPLE_KEPT;
}

static double per_cycle(double count, const struct sample *sample)
{
    return count / (sample->wall_s * sample->core_hz);
}

static bool instructions_per_cycle_of(const struct cell *cell, size_t i, double *value, enum sample_grade *grade)
{
    const struct sample *sample = &cell->samples.sample[i];
    *value = per_cycle(sample->count[COUNTER_INSTRUCTIONS], sample) / (cell->threads ? cell->threads : 1);
    *grade = sample->grade;
    return keep(sample) && sample->counted & COUNTER_SET(COUNTER_INSTRUCTIONS);
}

static bool time_of(const struct cell *cell, size_t i, double *value, enum sample_grade *grade)
{
    const struct sample *sample = &cell->samples.sample[i];
    *value = sample->wall_s / (cell->repeats ? cell->repeats : 1);
    *grade = sample->grade;
    return keep(sample);
}

static bool clock_of(const struct cell *cell, size_t i, double *value, enum sample_grade *grade)
{
    const struct sample *sample = &cell->samples.sample[i];
    *value = sample->core_hz;
    *grade = sample->grade;
    return keep(sample);
}

double summary_vectors(const struct cell *cell)
{
    return (double)cell->variant->dots * sequence_vectors_per_dot(cell->sequence);
}

static bool gamma_of(const struct cell *cell, size_t pair, double *value, enum sample_grade *grade)
{
    const struct sample *u = &cell->samples.sample[2 * pair], *two_u = u + 1;
    double vectors = (double)cell->iterations * summary_vectors(cell);
    *value = (two_u->wall_s * two_u->core_hz - u->wall_s * u->core_hz) / vectors;
    *grade = u->grade < two_u->grade ? u->grade : two_u->grade;
    return keep(u) && keep(two_u);
}

static bool bandwidth_of(const struct cell *cell, size_t i, double *value, enum sample_grade *grade)
{
    double seconds;
    bool kept = time_of(cell, i, &seconds, grade);
    *value = (double)cell->bytes * cell->threads / seconds;
    return kept;
}

static bool beta_of(const struct cell *cell, size_t i, double *value, enum sample_grade *grade)
{
    double seconds;
    bool kept = time_of(cell, i, &seconds, grade);
    *value = (double)cell->bytes / (seconds * cell->samples.sample[i].core_hz);
    return kept;
}

double summary_packed_bytes(const struct cell *cell)
{
    return (double)format_packed_bytes(cell->kernel->format, cell->m, cell->k);
}

static bool fraction_of(const struct cell *cell, size_t i, double *value, enum sample_grade *grade)
{
    const struct sample *roof = &cell->roof.sample[i];
    double seconds;
    bool kept = time_of(cell, i, &seconds, grade);
    *value = summary_packed_bytes(cell) / seconds / ((double)cell->roof_bytes / roof->wall_s);
    return kept && keep(roof);
}

static bool paired_roof_of(const struct cell *cell, size_t i, double *value, enum sample_grade *grade)
{
    const struct sample *roof = &cell->roof.sample[i];
    *value = (double)cell->roof_bytes / roof->wall_s;
    *grade = roof->grade;
    return keep(roof);
}

static bool operations_of(const struct cell *cell, size_t i, double *value, enum sample_grade *grade)
{
    double seconds;
    bool kept = time_of(cell, i, &seconds, grade);
    *value = 2.0 * (double)cell->m * (double)cell->k / (seconds * cell->samples.sample[i].core_hz * cell->threads);
    return kept;
}

static bool gemv_beta_of(const struct cell *cell, size_t i, double *value, enum sample_grade *grade)
{
    double seconds;
    bool kept = time_of(cell, i, &seconds, grade);
    *value = summary_packed_bytes(cell) / (seconds * cell->samples.sample[i].core_hz * cell->threads);
    return kept;
}

static bool gemv_bandwidth_of(const struct cell *cell, size_t i, double *value, enum sample_grade *grade)
{
    double seconds;
    bool kept = time_of(cell, i, &seconds, grade);
    *value = summary_packed_bytes(cell) / seconds;
    return kept;
}

struct graded summary_time(const struct cell *cell)
{
    return derive_all(cell, cell->samples.count, false, time_of);
}

struct graded summary_clock(const struct cell *cell)
{
    return derive_all(cell, cell->samples.count, true, clock_of);
}

struct graded summary_gamma(const struct cell *cell)
{
    return derive_all(cell, cell->samples.count / 2, true, gamma_of);
}

struct graded summary_bandwidth(const struct cell *cell)
{
    return derive_all(cell, cell->samples.count, false, bandwidth_of);
}

struct graded summary_beta(const struct cell *cell)
{
    return derive_all(cell, cell->samples.count, true, beta_of);
}

static size_t roof_pairs(const struct cell *cell)
{
    return cell->roof.count < cell->samples.count ? cell->roof.count : cell->samples.count;
}

struct pooled {
    unsigned stream;
    size_t count, capacity;
    double *bytes_per_s;
    bool failed;
};

static void pool(struct pooled *pooled, double bytes_per_s)
{
    if (pooled->count == pooled->capacity) {
        size_t capacity = 2 * pooled->capacity + 64;
        double *grown = realloc(pooled->bytes_per_s, capacity * sizeof *grown);
        if (!grown) {
            pooled->failed = true;
            return;
        }
        pooled->bytes_per_s = grown;
        pooled->capacity = capacity;
    }
    pooled->bytes_per_s[pooled->count++] = bytes_per_s;
}

/** Add the kept roof samples of a cell to those of its streams. */
static void pool_cell(struct pooled pooled[SESSION_ROOF_STREAMS], const struct cell *cell)
{
    for (size_t i = 0; i < cell->roof.count; i++) {
        const struct sample *sample = &cell->roof.sample[i];
        for (int s = 0; s < SESSION_ROOF_STREAMS && sample->cause == SAMPLE_KEPT; s++) {
            if (pooled[s].count && pooled[s].stream != sample->stream)
                continue;
            pooled[s].stream = sample->stream;
            pool(&pooled[s], (double)cell->roof_bytes / sample->wall_s);
            break;
        }
    }
}

void summary_choose_roofs(struct cells *cells, unsigned threads)
{
    struct pooled pooled[SESSION_ROOF_STREAMS] = {{0}};
    for (size_t i = 0; i < cells->count; i++) {
        if (cells->cell[i].kind == CELL_GEMV && cells->cell[i].threads == threads)
            pool_cell(pooled, &cells->cell[i]);
    }
    unsigned winner = 0;
    double most = 0;
    for (int s = 0; s < SESSION_ROOF_STREAMS; s++) {
        double median = stats_median(pooled[s].bytes_per_s, pooled[s].count);
        if (!pooled[s].failed && median > most) {
            most = median;
            winner = pooled[s].stream;
        }
        free(pooled[s].bytes_per_s);
    }
    for (size_t i = 0; i < cells->count; i++) {
        if (cells->cell[i].kind == CELL_GEMV && cells->cell[i].threads == threads)
            cells->cell[i].roof_stream = winner;
    }
}

/** The stream that is the roof beside this cell, if it has pairs with it; else 0: all of them. */
unsigned summary_roof_stream(const struct cell *cell)
{
    for (size_t i = 0; i < roof_pairs(cell); i++) {
        if (cell->roof.sample[i].stream == cell->roof_stream)
            return cell->roof_stream;
    }
    return 0;
}

struct graded summary_roof_fraction(const struct cell *cell)
{
    return summary_derive(cell, roof_pairs(cell), false, fraction_of, summary_roof_stream(cell));
}

struct graded summary_paired_roof(const struct cell *cell)
{
    return summary_derive(cell, roof_pairs(cell), false, paired_roof_of, summary_roof_stream(cell));
}

double summary_gamma_clock(const struct cells *cells, unsigned member)
{
    double *clocks = calloc(cells->count + 1, sizeof *clocks);
    size_t count = 0;
    for (size_t i = 0; clocks && i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        double clock = NAN;
        if (cell->kind == CELL_GAMMA && cell->member == member && cell->samples.count)
            clock = summary_clock(cell).summary.median;
        if (clock > 0)
            clocks[count++] = clock;
    }
    double median = count ? stats_median(clocks, count) : NAN;
    free(clocks);
    return median;
}

double summary_best_gamma(const struct cells *cells, const char *name, unsigned *accumulators)
{
    return summary_best_gamma_on(cells, name, 0, accumulators);
}

double summary_best_gamma_on(const struct cells *cells, const char *name, unsigned member, unsigned *accumulators)
{
    double best = NAN;
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        if (cell->kind != CELL_GAMMA || cell->member != member || strcmp(cell->sequence->name, name) != 0 ||
            cell->variant->accumulators < cell->sequence->least_accumulators)
            continue;
        double gamma = summary_gamma(cell).summary.median;
        if (gamma > 0 && !(gamma >= best)) {
            best = gamma;
            if (accumulators)
                *accumulators = (unsigned)cell->variant->accumulators;
        }
    }
    return best;
}

static bool is_beta_of(const struct cell *cell, const char *level, unsigned threads)
{
    return cell->kind == CELL_BETA && cell->threads == threads && strcmp(cell->level, level) == 0;
}

const struct cell *summary_roof(const struct cells *cells, const char *level, unsigned threads)
{
    const struct cell *best = NULL;
    double most = 0;
    size_t most_samples = 0;
    /* a stream that was dropped after a first look does not win by one lucky sample */
    for (size_t i = 0; i < cells->count; i++) {
        if (is_beta_of(&cells->cell[i], level, threads) && cells->cell[i].samples.count > most_samples)
            most_samples = cells->cell[i].samples.count;
    }
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        if (!is_beta_of(cell, level, threads) || 2 * cell->samples.count < most_samples)
            continue;
        double bandwidth = summary_bandwidth(cell).summary.median;
        if (bandwidth > most) {
            most = bandwidth;
            best = cell;
        }
    }
    return best;
}

/** Whether a prepare cell is all that a kernel's operand takes. */
static bool prepares_for(const struct cell *cell, const struct kernel *kernel)
{
    bool quantizes = kernel->takes == KERNEL_TAKES_INT8;
    return cell->kind == CELL_PREPARE && cell->samples.count && !cell->bf16 &&
           cell->kernel == (kernel->prepare ? kernel : NULL) && quantizes == (cell->quantizer != NULL);
}

double summary_prepare_s(const struct cells *cells, const struct cell *gemv)
{
    double least_s = NAN;
    if (!gemv->kernel->prepare && gemv->kernel->takes == KERNEL_TAKES_F32)
        return 0;
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        if (cell->k == gemv->k && prepares_for(cell, gemv->kernel))
            least_s = fmin(least_s, summary_time(cell).summary.median);
    }
    return least_s;
}

struct graded summary_gemv_bandwidth(const struct cell *cell)
{
    return derive_all(cell, cell->samples.count, false, gemv_bandwidth_of);
}

struct graded summary_gemv_beta(const struct cell *cell)
{
    return derive_all(cell, cell->samples.count, true, gemv_beta_of);
}

struct graded summary_operations(const struct cell *cell)
{
    return derive_all(cell, cell->samples.count, true, operations_of);
}

struct graded summary_instructions_per_cycle(const struct cell *cell)
{
    return derive_all(cell, cell->samples.count, true, instructions_per_cycle_of);
}

struct graded summary_count(const struct cell *cell, enum counter_quantity quantity)
{
    size_t count = cell->samples.count, kept = 0;
    double *value = calloc(count + 1, sizeof *value);
    enum sample_grade *grade = calloc(count + 1, sizeof *grade);
    for (size_t i = 0; value && grade && i < count; i++) {
        const struct sample *sample = &cell->samples.sample[i];
        if (!keep(sample) || !(sample->counted & COUNTER_SET(quantity)))
            continue;
        value[kept] = sample->count[quantity] / (cell->repeats ? cell->repeats : 1);
        grade[kept++] = sample->grade;
    }
    return conclude(value, grade, kept, count, true);
}

size_t summary_kept_though_interrupted(const struct cell *cell)
{
    size_t count = 0;
    for (size_t i = 0; i < cell->samples.count; i++)
        count += cell->samples.sample[i].interrupted && keep(&cell->samples.sample[i]);
    return count;
}
