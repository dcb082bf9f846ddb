/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a gamma cell says: gamma, what binds it, and which of its sequence is the best.
 */
#include "harness/cells/gamma/gamma.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/cells/cell/fields.h"
#include "harness/cells/cell/kind.h"
#include "roofline/gamma_fit.h"

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
    if (format) /* it has kernels */
        field_set(record, "format_bits", json_real(format->bits));
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
