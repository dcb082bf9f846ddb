/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/console/none_kept.h"

#include <string.h>

#include "harness/cells/cell/kind.h"
#include "harness/cmd/console/console.h"
#include "harness/exit_code.h"
#include "harness/measure/sampler.h"

/** What became of samples. */
struct judged {
    unsigned long of[SAMPLE_CAUSES];
    size_t samples;
};

static void add(const struct cell *cell, struct judged *judged)
{
    for (size_t i = 0; i < cell->samples.count; i++)
        judged->of[cell->samples.sample[i].cause]++;
    judged->samples += cell->samples.count;
}

static bool tell(const char *command, const char *name, const struct judged *judged)
{
    char text[240];
    if (judged->of[SAMPLE_KEPT] || !judged->samples)
        return false;
    sampler_say_causes(judged->of, text, sizeof text);
    complain(0, command, "%s: no sample was kept: %s", name, text);
    return true;
}

bool tell_if_none_kept(const char *command, const struct cell *cell)
{
    struct judged judged = {.samples = 0};
    add(cell, &judged);
    return tell(command, cell->name, &judged);
}

static const char *subject_of(const struct cell *cell)
{
    return cell->kernel ? cell->kernel->name : cell->sequence ? cell->sequence->name : cell->name;
}

/** @param kind  NULL: any */
static struct judged judge(const struct cells *cells, const char *subject, const struct cell_kind *kind)
{
    struct judged judged = {.samples = 0};
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        if ((!kind || cell->kind == kind) && strcmp(subject_of(cell), subject) == 0)
            add(cell, &judged);
    }
    return judged;
}

/** Whether a cell is the first one of its kind and what it measures, so that each of these is told of once. */
static bool is_first(const struct cells *cells, const struct cell *cell)
{
    const struct cell *before = cells->cell;
    while (before < cell && (before->kind != cell->kind || strcmp(subject_of(before), subject_of(cell)) != 0))
        before++;
    return before == cell;
}

int tell_where_none_kept(const char *command, const struct cells *cells, const struct cell_kind *kind)
{
    size_t all = 0, without = 0;
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        if (cell->kind != kind || cell->why[0] || !is_first(cells, cell))
            continue;
        struct judged judged = judge(cells, subject_of(cell), kind);
        if (!judged.samples)
            judged = judge(cells, subject_of(cell), NULL);
        all++;
        without += tell(command, subject_of(cell), &judged);
    }
    return all && without == all ? EXIT_INCONCLUSIVE : EXIT_DONE;
}
