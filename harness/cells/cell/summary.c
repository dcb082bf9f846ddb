/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/cell/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** With so many values of a grade among too few of all it is theirs; they choose, and are not stated. */
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
    enum sample_grade best = cycles ? best_grade(of_grade, kept) : SAMPLE_WALL;
    if (best != SAMPLE_WALL) {
        result.grade = sample_grade_name(best);
        kept = select_grade(value, grade, kept, best);
    }
    stats_summarize(value, kept, &result.summary);
    result.summary.rejected = asked - kept;
    free(value);
    free(grade);
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

struct graded summary_derive_beside(const struct cell *cell, size_t count, bool cycles, derive *value_of,
                                    unsigned stream)
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

struct graded summary_derive(const struct cell *cell, size_t count, bool cycles, derive *value_of)
{
    return summary_derive_beside(cell, count, cycles, value_of, 0);
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
