/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/console/no_samples.h"

#include <stdio.h>
#include <string.h>

#include "harness/cells/cell/kind.h"
#include "harness/cmd/console/console.h"
#include "harness/command/exit_code.h"
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

static void add_all(const struct judged *some, struct judged *judged)
{
    for (int cause = 0; cause < SAMPLE_CAUSES; cause++)
        judged->of[cause] += some->of[cause];
    judged->samples += some->samples;
}

static bool none_was_kept(const struct judged *judged)
{
    return judged->samples && !judged->of[SAMPLE_KEPT];
}

/** @param name  NULL: of everything */
static void tell(const char *command, const char *name, const struct judged *judged)
{
    char text[240];
    sampler_say_causes(judged->of, text, sizeof text);
    complain(0, command, "%s%sno sample was kept: %s", name ? name : "", name ? ": " : "", text);
}

bool warn_no_samples(const char *command, const struct cell *cell)
{
    struct judged judged = {.samples = 0};
    add(cell, &judged);
    if (none_was_kept(&judged))
        tell(command, cell->name, &judged);
    return none_was_kept(&judged);
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

/** Whether a cell is the first one of its kind and what it measures, so that each of these is reported once. */
static bool is_first(const struct cells *cells, const struct cell *cell)
{
    const struct cell *before = cells->cell;
    while (before < cell && (before->kind != cell->kind || strcmp(subject_of(before), subject_of(cell)) != 0))
        before++;
    return before == cell;
}

/**
 * Samples of what a cell measures.
 * @return false for a cell of another kind, one that has its reason already and one that is not the first of what it measures
 */
static bool judge_first(const struct cells *cells, const struct cell *cell, const struct cell_kind *kind,
                        struct judged *judged)
{
    if (cell->kind != kind || cell->why[0] || !is_first(cells, cell))
        return false;
    *judged = judge(cells, subject_of(cell), kind);
    if (!judged->samples)
        *judged = judge(cells, subject_of(cell), NULL);
    return true;
}

int warn_where_no_samples(const char *command, const struct cells *cells, const struct cell_kind *kind)
{
    struct judged every = {.samples = 0};
    size_t all = 0, without = 0;
    for (size_t i = 0; i < cells->count; i++) {
        struct judged judged;
        if (!judge_first(cells, &cells->cell[i], kind, &judged))
            continue;
        all++;
        without += none_was_kept(&judged);
        add_all(&judged, &every);
    }
    if (all > 1 && without == all) {
        tell(command, NULL, &every);
        return EXIT_INCONCLUSIVE;
    }
    for (size_t i = 0; without && i < cells->count; i++) {
        struct judged judged;
        if (judge_first(cells, &cells->cell[i], kind, &judged) && none_was_kept(&judged))
            tell(command, subject_of(&cells->cell[i]), &judged);
    }
    return all && without == all ? EXIT_INCONCLUSIVE : EXIT_DONE;
}

int tell_if_nothing_kept(const char *command, const struct cells *cells, const struct cell_kind *kind)
{
    struct judged every = {.samples = 0};
    for (size_t i = 0; i < cells->count; i++) {
        if (cells->cell[i].kind == kind)
            add(&cells->cell[i], &every);
    }
    if (!none_was_kept(&every))
        return EXIT_DONE;
    tell(command, NULL, &every);
    return EXIT_INCONCLUSIVE;
}

int print_cells_left_out(const char *command, const struct cells *cells, bool json)
{
    int code = EXIT_DONE;
    for (size_t i = 0; !code && i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        if (cell->why[0] && json)
            code = print_record(
                command, json_pack("{s:s, s:s, s:s}", "type", "skipped", "name", cell->name, "reason", cell->why));
        else if (cell->why[0])
            printf("left out: %s: %s\n", cell->name, cell->why);
    }
    return code;
}
