/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a gamma cell says: gamma, what binds it, and which of its sequence is the best.
 */
#include "harness/cells/gamma/gamma.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/fields.h"
#include "harness/cells/cell/kind.h"
#include "micro/format_kind.h"
#include "results/files/need.h"
#include "roofline/gamma_fit.h"

/** Within this share of the best a smaller number is taken: medians of few samples do not separate them. */
static const double PLATEAU = 0.02;

double gamma_vectors(const struct cell *cell)
{
    return (double)gamma_cell(cell)->variant->dots * sequence_vectors_per_dot(cell->sequence);
}

static bool cycles_of(const struct cell *cell, size_t pair, double *value, enum sample_grade *grade)
{
    const struct sample *u = &cell->samples.sample[2 * pair], *two_u = u + 1;
    double vectors = (double)cell->iterations * gamma_vectors(cell);
    *value = (two_u->wall_s * two_u->core_hz - u->wall_s * u->core_hz) / vectors;
    *grade = u->grade < two_u->grade ? u->grade : two_u->grade;
    return u->cause == SAMPLE_KEPT && two_u->cause == SAMPLE_KEPT;
}

struct graded gamma_summary(const struct cell *cell)
{
    return summary_derive(cell, cell->samples.count / 2, true, cycles_of);
}

double gamma_clock(const struct cells *cells, unsigned member)
{
    double *clocks = need(cells->count + 1, sizeof *clocks);
    size_t count = 0;
    for (size_t i = 0; clocks && i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        double clock = NAN;
        if (gamma_cell(cell) && cell->member == member && cell->samples.count)
            clock = summary_stated_cycles(summary_clock(cell));
        if (clock > 0)
            clocks[count++] = clock;
    }
    double median = count ? stats_median(clocks, count) : NAN;
    free(clocks);
    return median;
}

static bool is_on(const struct cell *cell, const char *name, unsigned member)
{
    return gamma_cell(cell) && cell->member == member && strcmp(cell->sequence->name, name) == 0;
}

bool gamma_leads_kind(const struct cells *cells, const char *name, unsigned member)
{
    for (size_t i = 0; i < cells->count; i++) {
        if (is_on(&cells->cell[i], name, member))
            return true;
    }
    return false;
}

double gamma_best(const struct cells *cells, const char *name, unsigned *accumulators)
{
    return gamma_best_on(cells, name, 0, accumulators);
}

static bool is_usable(const struct cell *cell, const char *name, unsigned member)
{
    return is_on(cell, name, member) && cell->samples.count &&
           gamma_cell(cell)->variant->accumulators >= cell->sequence->least_accumulators;
}

const struct cell *gamma_ahead(const struct cells *cells, const char *name, unsigned member)
{
    const struct cell *ahead = NULL;
    double lowest = NAN;
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        double gamma = is_usable(cell, name, member) ? gamma_summary(cell).summary.median : (double)NAN;
        if (gamma > 0 && !(gamma >= lowest)) {
            lowest = gamma;
            ahead = cell;
        }
    }
    return ahead;
}

/** Its gamma; NaN without one. */
static double lowest(const struct cells *cells, const char *name, unsigned member)
{
    const struct cell *ahead = gamma_ahead(cells, name, member);
    return ahead ? gamma_summary(ahead).summary.median : (double)NAN;
}

/** Usable cells of a sequence with samples. @return how many; the most pairs that one of them has kept in *most */
static size_t usable_cells(const struct cells *cells, const char *name, unsigned member,
                           const struct cell *usable[SEQUENCE_ACCUMULATORS_MAX], size_t *most)
{
    size_t count = 0;
    *most = 0;
    for (size_t i = 0; i < cells->count && count < SEQUENCE_ACCUMULATORS_MAX; i++) {
        const struct cell *cell = &cells->cell[i];
        if (!is_usable(cell, name, member))
            continue;
        size_t kept = gamma_summary(cell).summary.n;
        *most = kept > *most ? kept : *most;
        usable[count++] = cell;
    }
    return count;
}

double gamma_best_on(const struct cells *cells, const char *name, unsigned member, unsigned *accumulators)
{
    const struct cell *usable[SEQUENCE_ACCUMULATORS_MAX], *candidates[SEQUENCE_ACCUMULATORS_MAX];
    struct best_of_half halves[SEQUENCE_ACCUMULATORS_MAX][HALVES];
    size_t most, measured = usable_cells(cells, name, member, usable, &most), count = 0;
    double alone = (double)NAN;
    for (size_t i = 0; i < measured; i++) {
        struct graded gamma = gamma_summary(usable[i]);
        alone = summary_stated_cycles(gamma);
        /* what was dropped after a first look does not win by its luck */
        if (!(alone > 0) || 2 * gamma.summary.n < most)
            continue;
        candidates[count] = usable[i];
        memcpy(halves[count++], gamma.halves, sizeof gamma.halves);
    }
    bool is_choice = measured > 1;
    size_t best = is_choice ? best_of((const struct best_of_half(*)[HALVES])halves, count, false) : 0;
    if (best >= count)
        return (double)NAN;
    if (accumulators)
        *accumulators = (unsigned)gamma_cell(candidates[best])->variant->accumulators;
    return is_choice ? halves[best][HALF_REPORTS].median : alone;
}

/** Whether enough samples were kept, but the clock that they were taken by is not known. */
static bool is_wall(struct graded gamma)
{
    return summary_stated(gamma) > 0 && isnan(summary_stated_cycles(gamma));
}

const char *gamma_missing(const struct cells *cells, const char *name)
{
    if (isfinite(gamma_best(cells, name, NULL)))
        return NULL;
    const struct cell *ahead = gamma_ahead(cells, name, 0);
    if (!ahead)
        return sequence_find(name) ? "gamma of its sequence was not measured"
                                   : "no sequence is declared whose gamma models this kernel";
    return is_wall(gamma_summary(ahead)) ? "gamma of its sequence is graded wall: the clock chains disagree"
                                         : "too few samples of the gamma of its sequence were kept";
}

bool gamma_lacks_best(const struct cells *cells, const char *name, unsigned member, char *why, size_t size)
{
    const struct cell *ahead = gamma_ahead(cells, name, member);
    if (!ahead || isfinite(gamma_best_on(cells, name, member, NULL)))
        return false;
    struct graded gamma = gamma_summary(ahead);
    if (is_wall(gamma))
        snprintf(why, size, "the clock chains disagree (graded wall)");
    else
        snprintf(why, size, "%zu pairs kept with %lu accumulators, which are ahead; %d needed", gamma.summary.n,
                 (unsigned long)gamma_cell(ahead)->variant->accumulators, BEST_OF_KEPT_LEAST);
    return true;
}

const struct cell *gamma_find(const struct cells *cells, const struct sequence *sequence, uint64_t accumulators)
{
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        if (gamma_cell(cell) && cell->sequence == sequence && gamma_cell(cell)->variant->accumulators == accumulators &&
            gamma_summary(cell).summary.n)
            return cell;
    }
    return NULL;
}

unsigned gamma_fewest_accumulators(const struct cells *cells, const struct sequence *sequence)
{
    unsigned fewest = 0;
    const struct cell *ahead = gamma_ahead(cells, sequence->name, 0);
    double best = lowest(cells, sequence->name, 0);
    if (ahead)
        fewest = (unsigned)gamma_cell(ahead)->variant->accumulators;
    for (uint64_t i = sequence->variants; isfinite(best) && i-- > 0;) {
        uint64_t accumulators = sequence->variant[i].accumulators;
        const struct cell *cell = gamma_find(cells, sequence, accumulators);
        if (cell && accumulators >= sequence->least_accumulators && accumulators < fewest &&
            gamma_summary(cell).summary.median <= (1 + PLATEAU) * best)
            fewest = (unsigned)accumulators;
    }
    return isfinite(best) ? fewest : 0;
}

/* ---- as a record ---- */

static const char NO_LONGER[] = "twice the work took no longer: a copy of the program may lie better in memory";

/** Into points that ascend in accumulators. */
static void insert(struct gamma_point *points, size_t count, struct gamma_point point)
{
    for (; count && points[count - 1].accumulators > point.accumulators; count--)
        points[count] = points[count - 1];
    points[count] = point;
}

/** gamma over the accumulators of the cell's sequence, as far as they were measured, in ascending order. */
static size_t sweep_of(const struct cells *cells, const struct cell *cell,
                       struct gamma_point points[SEQUENCE_ACCUMULATORS_MAX])
{
    size_t count = 0;
    for (size_t i = 0; i < cells->count && count < SEQUENCE_ACCUMULATORS_MAX; i++) {
        const struct cell *other = &cells->cell[i];
        if (!gamma_cell(other) || other->sequence != cell->sequence || other->member != cell->member)
            continue;
        double gamma = summary_stated_cycles(gamma_summary(other));
        unsigned accumulators = (unsigned)gamma_cell(other)->variant->accumulators;
        if (gamma > 0)
            insert(points, count++, (struct gamma_point){accumulators, gamma});
    }
    return count;
}

/** What binds, and why that cannot be told if it cannot. */
static void set_bound(json_t *record, const struct session *session, const struct cells *cells, const struct cell *cell,
                      double uops)
{
    struct gamma_point points[SEQUENCE_ACCUMULATORS_MAX];
    struct gamma_fit fit;
    unsigned accumulators = (unsigned)gamma_cell(cell)->variant->accumulators;
    double learnt = session->instruments.issue_width_of[cell->member];
    const char *bound = "";
    const char *why = "too few samples of this sequence were kept";
    size_t count = sweep_of(cells, cell, points);
    int unfitted = gamma_fit(points, count, &fit);
    if (unfitted && count == 1 && cell->sequence->variants == 1) { /* it has no others to be told from */
        fit.plateau = points[0].gamma;
        unfitted = 0;
    }
    if (unfitted && count)
        why = "measured with one number of accumulators only";
    struct graded own = gamma_summary(cell);
    if (own.summary.median <= 0)
        why = NO_LONGER, unfitted = -ENODATA;
    else if (!(summary_stated(own) > 0))
        why = "too few samples were kept", unfitted = -ENODATA;
    else if (!(summary_stated_cycles(own) > 0))
        why = "graded wall: the clock chains disagree", unfitted = -ENODATA;
    if (!unfitted)
        bound = gamma_bound_name(gamma_binds(&fit, accumulators, uops, learnt > 0 ? learnt : session->issue_width));
    field_set(record, "bound", bound[0] ? json_string(bound) : json_null());
    if (!bound[0])
        field_set(record, "bound_reason", json_string(why));
    field_set_number(record, "plateau", fit.plateau);
    field_set_number(record, "slope", fit.slope);
    field_set_number(record, "latency_cycles", fit.slope * sequence_vectors_per_dot(cell->sequence));
    field_set_number(record, "fit_residual", fit.residual);
    field_set_number(record, "latency_gamma", fit.slope / accumulators);
}

/**
 * Its gamma; NaN if it is not told. One that is not positive says that where the loops lie in memory takes more time than what they do: seen where
 * the pages of a program's file lay badly, and gone in a copy of the file.
 */
static double set_gamma(json_t *record, struct graded gamma)
{
    field_set_competing(record, "gamma", gamma, "cycles");
    if (!(gamma.summary.median <= 0))
        return summary_stated(gamma);
    static const char *const values[] = {"median", "min", "mad", "ci95"};
    json_t *quantity = json_object_get(record, "gamma");
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        field_set(quantity, values[i], json_null());
    json_object_del(quantity, "halves");
    field_set(quantity, "why", json_string(NO_LONGER));
    return NAN;
}

/** Which core a cell of one thread ran on. */
static void set_core(json_t *record, const struct session *session, const struct cell *cell)
{
    unsigned cpu = session->cpus[cell->member];
    field_set(record, "cpu", json_integer(cpu));
    if (session->machine.topology)
        field_set(record, "kind",
                  json_string(core_kind_name(topology_core_of_cpu(session->machine.topology, cpu)->kind)));
}

json_t *gamma_record(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    const struct sequence *sequence = cell->sequence;
    uint64_t accumulators = gamma_cell(cell)->variant->accumulators;
    struct graded gamma = gamma_summary(cell);
    unsigned best_accumulators = 0;
    char why[96];
    const double best = gamma_best_on(cells, sequence->name, cell->member, &best_accumulators);
    double uops = (double)sequence_uops(sequence) / sequence->group_vectors;
    json_t *record = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:i, s:f, s:f}", "type", "gamma", "name", sequence->name,
                               "isa", sequence->isa, "format", sequence->format, "sequence", sequence->sequence,
                               "origin", sequence->origin, "accumulators", (int)accumulators, "bytes_per_vector",
                               sequence->bytes_per_vector, "uops_per_vector", uops);
    const struct format *format = format_find(sequence->format);
    if (format) { /* it has kernels */
        field_set(record, "format_bits", json_real(format->bits));
        field_set(record, "format_kind", json_string(format_kind_name(format_kind(format))));
    }
    set_core(record, session, cell);
    double stated = set_gamma(record, gamma);
    set_bound(record, session, cells, cell, uops);
    field_set_number(record, "uops_per_cycle", uops / stated);
    field_set(record, "claimed", sequence->claimed_gamma > 0 ? json_real(sequence->claimed_gamma) : json_null());
    field_set(record, "usable", json_boolean(accumulators >= sequence->least_accumulators));
    field_set(record, "best", json_boolean(accumulators == best_accumulators));
    if (!isfinite(best) && gamma_lacks_best(cells, sequence->name, cell->member, why, sizeof why))
        field_set(record, "best_reason", json_string(why));
    field_set_number(record, "knee", sequence->bytes_per_vector / stated);
    field_set(record, "exact", json_boolean(cell->exact));
    if (isa_find(sequence->isa)->required & isa_tile_features()) {
        field_set_number(record, "product_cycles", sequence_vectors_per_dot(sequence) * stated);
        field_set_number(record, "multiply_adds_per_cycle", 32 / stated);
    }
    field_set_instructions(record, cell); /* its operands stay in registers: no misses */
    field_set_proof(record, cell);
    return record;
}
