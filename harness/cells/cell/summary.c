/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/cell/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/kind.h"
#include "results/files/need.h"

/** With this many values of a grade among too few of all it is theirs; they choose, and are not stated. */
enum { CHOOSING_LEAST = 3 };

/**
 * Best grade that has enough values to be stated; with fewer the next lower grade is all there is, and wall takes all.
 */
static enum sample_grade best_grade(const size_t of_grade[SAMPLE_GRADES], size_t kept)
{
    size_t least = kept < STATS_KEPT_LEAST ? CHOOSING_LEAST : STATS_KEPT_LEAST;
    for (int grade = SAMPLE_GRADES - 1; grade > SAMPLE_WALL; grade--) {
        if (of_grade[grade] >= least)
            return (enum sample_grade)grade;
    }
    return SAMPLE_WALL;
}

/** Values that a quantity has, one a sample or pair that was kept. */
struct values {
    double *value;
    enum sample_grade *grade;
    bool *reports; /* dealt to the half that reports, else to the one that chooses */
    size_t count;
};

static bool values_open(struct values *values, size_t most)
{
    *values = (struct values){.value = need(most + 1, sizeof *values->value),
                              .grade = need(most + 1, sizeof *values->grade),
                              .reports = need(most + 1, sizeof *values->reports)};
    return values->value && values->grade && values->reports;
}

static void values_close(struct values *values)
{
    free(values->value);
    free(values->grade);
    free(values->reports);
}

/** Move the values of one grade to the front, and forget the others. */
static void select_grade(struct values *values, enum sample_grade wanted)
{
    size_t kept = 0;
    for (size_t i = 0; i < values->count; i++) {
        if (values->grade[i] != wanted)
            continue;
        values->value[kept] = values->value[i];
        values->reports[kept++] = values->reports[i];
    }
    values->count = kept;
}

/** Partitions the values, which are no longer in the order they were taken. */
static void halve(struct values *values, struct best_of_half halves[HALVES])
{
    size_t first = 0;
    for (size_t i = 0; i < values->count; i++) {
        if (values->reports[i])
            continue;
        double value = values->value[i];
        values->value[i] = values->value[first];
        values->reports[i] = values->reports[first];
        values->value[first++] = value;
    }
    half_of(values->value, first, &halves[HALF_CHOOSES]);
    half_of(values->value + first, values->count - first, &halves[HALF_REPORTS]);
}

/** Summarize what was kept of all that was asked for. */
static struct graded conclude(struct values *values, size_t asked, bool cycles)
{
    struct graded result = {.grade = sample_grade_name(SAMPLE_WALL)};
    size_t of_grade[SAMPLE_GRADES] = {0};
    for (size_t i = 0; i < values->count; i++)
        of_grade[values->grade[i]]++;
    enum sample_grade best = cycles ? best_grade(of_grade, values->count) : SAMPLE_WALL;
    if (best != SAMPLE_WALL) {
        result.grade = sample_grade_name(best);
        select_grade(values, best);
    }
    stats_summarize(values->value, values->count, &result.summary);
    result.summary.rejected = asked - values->count;
    halve(values, result.halves);
    return result;
}

double summary_stated(struct graded quantity)
{
    return stats_stated(&quantity.summary);
}

double summary_stated_cycles(struct graded quantity)
{
    bool counted = strcmp(quantity.grade, sample_grade_name(SAMPLE_WALL)) != 0;
    return counted ? summary_stated(quantity) : (double)NAN;
}

static bool is_whole(const struct samples *samples, size_t i)
{
    return i < samples->count && samples->sample[i].cause == SAMPLE_KEPT;
}

/**
 * Whether sample (or pair) i counts for dealing: the same for all quantities of a cell, so that none is chosen by a sample
 * that another reports. Of cycles in halves those of a lower grade do not count.
 */
static bool is_dealt(const struct cell *cell, size_t i)
{
    if (!cell->kind->halves)
        return is_whole(&cell->samples, i) && (!cell->roof.count || is_whole(&cell->roof, i));
    return is_whole(&cell->samples, 2 * i) && is_whole(&cell->samples, 2 * i + 1) &&
           cell->samples.sample[2 * i].grade != SAMPLE_WALL && cell->samples.sample[2 * i + 1].grade != SAMPLE_WALL;
}

/** What values are of: of a sample alone, or of an amount as well. */
struct source {
    derive *value_of;
    derive_beside *of;
    double amount;
};

static bool value_at(const struct source *source, const struct cell *cell, size_t i, double *value,
                     enum sample_grade *grade)
{
    return source->of ? source->of(cell, i, source->amount, value, grade) : source->value_of(cell, i, value, grade);
}

static struct graded derive_values(const struct cell *cell, size_t count, bool cycles, const struct source *source,
                                   unsigned stream)
{
    struct values values;
    bool room = values_open(&values, count), reports = false;
    size_t asked = 0;
    for (size_t i = 0; room && i < count; i++) {
        bool is_beside = !stream || cell->roof.sample[i].stream == stream;
        size_t at = values.count;
        asked += is_beside;
        /* not finite: the clock could not be timed */
        if (is_beside && value_at(source, cell, i, &values.value[at], &values.grade[at]) && isfinite(values.value[at]))
            values.reports[values.count++] = reports;
        reports ^= is_dealt(cell, i);
    }
    struct graded result = conclude(&values, asked, cycles);
    values_close(&values);
    return result;
}

struct graded summary_derive(const struct cell *cell, size_t count, bool cycles, derive *value_of)
{
    return derive_values(cell, count, cycles, &(struct source){.value_of = value_of}, 0);
}

struct graded summary_derive_beside(const struct cell *cell, derive_beside *value_of, double amount, unsigned stream)
{
    return derive_values(cell, summary_roof_pairs(cell), false, &(struct source){NULL, value_of, amount}, stream);
}

static struct graded of_amount(const struct cell *cell, bool cycles, derive_beside *value_of, double amount)
{
    return derive_values(cell, cell->samples.count, cycles, &(struct source){NULL, value_of, amount}, 0);
}

size_t summary_roof_pairs(const struct cell *cell)
{
    return cell->roof.count < cell->samples.count ? cell->roof.count : cell->samples.count;
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

bool summary_time_of(const struct cell *cell, size_t i, double *value, enum sample_grade *grade)
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

struct graded summary_time(const struct cell *cell)
{
    return summary_derive(cell, cell->samples.count, false, summary_time_of);
}

static bool per_second_of(const struct cell *cell, size_t i, double amount, double *value, enum sample_grade *grade)
{
    bool kept = summary_time_of(cell, i, value, grade);
    *value = amount / *value;
    return kept;
}

static bool per_cycle_of(const struct cell *cell, size_t i, double amount, double *value, enum sample_grade *grade)
{
    bool kept = summary_time_of(cell, i, value, grade);
    *value = amount / (*value * cell->samples.sample[i].core_hz);
    return kept;
}

static bool cycles_per_of(const struct cell *cell, size_t i, double amount, double *value, enum sample_grade *grade)
{
    bool kept = summary_time_of(cell, i, value, grade);
    *value *= cell->samples.sample[i].core_hz / amount;
    return kept;
}

struct graded summary_per_second(const struct cell *cell, double amount)
{
    return of_amount(cell, false, per_second_of, amount);
}

struct graded summary_per_cycle(const struct cell *cell, double amount)
{
    return of_amount(cell, true, per_cycle_of, amount);
}

struct graded summary_cycles_per(const struct cell *cell, double amount)
{
    return of_amount(cell, true, cycles_per_of, amount);
}

struct graded summary_clock(const struct cell *cell)
{
    return summary_derive(cell, cell->samples.count, true, clock_of);
}

struct graded summary_instructions_per_cycle(const struct cell *cell)
{
    return summary_derive(cell, cell->samples.count, true, instructions_per_cycle_of);
}

struct graded summary_count(const struct cell *cell, enum counter_quantity quantity)
{
    struct values values;
    size_t count = cell->samples.count;
    bool room = values_open(&values, count);
    for (size_t i = 0; room && i < count; i++) {
        const struct sample *sample = &cell->samples.sample[i];
        if (!keep(sample) || !(sample->counted & COUNTER_SET(quantity)))
            continue;
        values.value[values.count] = sample->count[quantity] / (cell->repeats ? cell->repeats : 1);
        values.grade[values.count++] = sample->grade;
    }
    struct graded result = conclude(&values, count, true);
    values_close(&values);
    return result;
}

size_t summary_kept_though_interrupted(const struct cell *cell)
{
    size_t count = 0;
    for (size_t i = 0; i < cell->samples.count; i++)
        count += cell->samples.sample[i].interrupted && keep(&cell->samples.sample[i]);
    return count;
}
