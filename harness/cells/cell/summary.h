/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stddef.h>

#include "harness/cells/cell/cell.h"
#include "results/statistics/best_of.h"
#include "results/statistics/stats.h"

/**
 * From the samples of a cell to summarized quantities and its record (field names are in DESIGN and the manual page).
 * What a quantity is belongs to a kind; here is how samples become one, and the quantities that every kind has.
 */

/** A summarized quantity with the grade that its samples allow. */
struct graded {
    struct summary summary;
    struct best_of_half halves[HALVES]; /* of the same samples, dealt one after the other to choose and to report */
    const char *grade;                  /* "pmu", "chain", or "wall" when too few samples have a better one */
};

/** Its median, if enough samples were kept for it to be stated; else NaN. */
double summary_stated(struct graded quantity);
/** The same of core cycles, which one that is graded wall does not count: NaN. */
double summary_stated_cycles(struct graded quantity);

/** One derived value a sample and the grade of its cycles; false if it has none (it or its partner was rejected). */
typedef bool derive(const struct cell *cell, size_t i, double *value, enum sample_grade *grade);

/**
 * @param count   values there can be: samples, or pairs
 * @param cycles  whether the quantity is made of cycles, so that only samples of the best grade may be mixed
 */
struct graded summary_derive(const struct cell *cell, size_t count, bool cycles, derive *value_of);

/** An amount of a repeat, such as bytes: per second, and per core cycle of one core; and the core cycles of one of the amount. */
struct graded summary_per_second(const struct cell *cell, double amount);
struct graded summary_per_cycle(const struct cell *cell, double amount);
struct graded summary_cycles_per(const struct cell *cell, double amount);

/** Of those samples only beside which the stream of that session_stream_id was read as the roof; 0: of all. The amount is handed on. */
typedef bool derive_beside(const struct cell *cell, size_t i, double amount, double *value, enum sample_grade *grade);
struct graded summary_derive_beside(const struct cell *cell, derive_beside *value_of, double amount, unsigned stream);

/** Samples that have a read of the roof before them. */
size_t summary_roof_pairs(const struct cell *cell);

/** Seconds of one repeat of the work in sample i, as a derive. */
bool summary_time_of(const struct cell *cell, size_t i, double *value, enum sample_grade *grade);

/** Seconds of one repeat of the cell's work. */
struct graded summary_time(const struct cell *cell);
/** Core clock during the cell, Hz. */
struct graded summary_clock(const struct cell *cell);
/** Instructions per core cycle, of the samples in which hardware counted them. */
struct graded summary_instructions_per_cycle(const struct cell *cell);
/** A counted quantity of one repeat, of the samples that have it. */
struct graded summary_count(const struct cell *cell, enum counter_quantity quantity);
/** Samples kept although interrupted, since they last longer than a timer tick can be avoided. */
size_t summary_kept_though_interrupted(const struct cell *cell);

/**
 * Record of a cell; what it says about the model (gamma used, beta beside it, synchronisation) comes from the other
 * cells of the same run.
 * @return new reference; NULL without memory or for a cell without samples
 */
json_t *summary_record(const struct session *session, const struct cells *cells, const struct cell *cell);

/** What its kind derives from it beside that: new reference; NULL where there is nothing. */
json_t *derived_record(const struct session *session, const struct cells *cells, const struct cell *cell);
