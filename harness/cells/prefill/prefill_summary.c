/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What samples of pieces say of a pass.
 */
#include <stdlib.h>

#include "harness/cells/prefill/prefill_kinds.h"
#include "results/files/need.h"

/** Seconds of a whole step, one a kept sample of its pieces. */
static struct summary summary_of_step(const struct cell *cell, size_t step)
{
    const struct prefill_cell *own = prefill_cell(cell);
    double *seconds = need(cell->samples.count + 1, sizeof *seconds);
    size_t kept = 0, all = 0, first = 0;
    struct summary summary;
    for (size_t i = 0; i < step; i++)
        first += own->pieces[i];
    for (size_t i = 0; seconds && i < cell->samples.count; i++) {
        size_t at = i % own->period;
        if (at < first || at >= first + own->pieces[step])
            continue;
        all++;
        if (cell->samples.sample[i].cause == SAMPLE_KEPT)
            seconds[kept++] = cell->samples.sample[i].wall_s / prefill_shares(own)[at];
    }
    stats_summarize(seconds, seconds ? kept : 0, &summary);
    summary.rejected = all - kept;
    free(seconds);
    return summary;
}

/** This many times a step more. It rests on as many samples as the step that has the fewest. */
static void add_times(struct summary *sum, const struct summary *step, double times)
{
    sum->median += times * step->median;
    sum->min += times * step->min;
    sum->max += times * step->max;
    sum->mad += times * step->mad;
    for (int end = 0; end < 2; end++)
        sum->ci95[end] += times * step->ci95[end];
    if (step->n < sum->n) {
        sum->n = step->n;
        sum->rejected = step->rejected;
    }
}

/** Of the steps of a set of parts. */
static struct graded time_of(const struct cell *cell, unsigned set)
{
    const struct prefill_cell *own = prefill_cell(cell);
    struct graded sum = {.grade = "wall", .summary = {.n = SIZE_MAX}};
    for (size_t i = 0; own->pieces && i < own->steps; i++) {
        struct summary step = summary_of_step(cell, i);
        bool head = own->step[i].stage.step >= PREFILL_LAYER_STEPS;
        if (set >> prefill_step_part(own->step[i].stage.step) & 1)
            add_times(&sum.summary, &step, head ? 1 : (double)prefill_layers_of_kind(own, own->step[i].layer));
    }
    if (sum.summary.n == SIZE_MAX) /* no such step: it takes no time, as every sample says */
        sum.summary.n = own->period ? cell->samples.count / own->period : 0;
    return sum;
}

struct graded prefill_time(const struct cell *cell)
{
    return time_of(cell, ~0u);
}

struct graded prefill_part_time(const struct cell *cell, enum decode_part part)
{
    return time_of(cell, 1u << part);
}

struct graded prefill_tokens(const struct cell *cell)
{
    struct graded time = prefill_time(cell);
    const struct summary *of = &time.summary;
    double tokens = (double)prefill_cell(cell)->work.tokens;
    return (struct graded){.grade = time.grade,
                           .summary = {.median = tokens / of->median,
                                       .min = tokens / of->max,
                                       .max = tokens / of->min,
                                       .mad = tokens * of->mad / of->median / of->median,
                                       .ci95 = {tokens / of->ci95[1], tokens / of->ci95[0]},
                                       .n = of->n,
                                       .rejected = of->rejected}};
}

double prefill_alpha(const struct cell *cell)
{
    unsigned set = 0;
    for (int part = 0; part < DECODE_PARTS; part++)
        set |= decode_part_is_gemv((enum decode_part)part) ? 1u << part : 0;
    return summary_stated(time_of(cell, set)) / summary_stated(prefill_time(cell));
}
