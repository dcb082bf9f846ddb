/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See halving.h.
 */
#include "harness/cells/cell/halving.h"

#include <errno.h>
#include <stdlib.h>

#include "harness/cells/cell/rounds.h"

/** More visits of a cell in a stage while no sample of it was kept, and after the last stage of those that are left. */
enum { LOOKS = 3, TRIES = 8 };

struct ranked {
    size_t index, place;
    double merit;
};

/** Of equal ones the one that stood before. */
static int better_first(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    return x->merit != y->merit ? (x->merit < y->merit) - (x->merit > y->merit)
                                : (x->place > y->place) - (x->place < y->place);
}

static double merit_of(const struct halving *halving, size_t place)
{
    double merit = halving->merit(&halving->cells->cell[halving->order[place]]);
    return merit > 0 ? merit : 0;
}

bool halving_any_known(const struct halving *halving, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (merit_of(halving, i) > 0)
            return true;
    }
    return false;
}

static const void *class_at(const struct halving *halving, size_t place)
{
    return halving->class_of ? halving->class_of(&halving->cells->cell[halving->order[place]]) : NULL;
}

static bool leads_class(const struct halving *halving, size_t place)
{
    const void *class = class_at(halving, place);
    for (size_t i = 0; class && i < place; i++) {
        if (class_at(halving, i) == class)
            return false;
    }
    return class;
}

/** The best cells first; so many of them stay, and the best of each class. 0 or -ENOMEM */
static int keep_best(struct halving *halving, size_t keep)
{
    size_t count = halving->count;
    struct ranked *ranked = calloc(count + 1, sizeof *ranked);
    if (!ranked)
        return -ENOMEM;
    for (size_t i = 0; i < count; i++)
        ranked[i] = (struct ranked){halving->order[i], i, merit_of(halving, i)};
    qsort(ranked, count, sizeof *ranked, better_first);
    for (size_t i = 0; i < count; i++)
        halving->order[i] = ranked[i].index;
    free(ranked);
    halving->count = count < keep ? count : keep;
    for (size_t i = halving->count; i < count; i++) {
        if (!leads_class(halving, i))
            continue;
        size_t swap = halving->order[i];
        halving->order[i] = halving->order[halving->count];
        halving->order[halving->count++] = swap;
    }
    return 0;
}

/** `done` and `part` of the stages. */
static int visit_all(const struct halving *halving, unsigned samples, double done, double part, size_t *failed)
{
    cells_shuffle(halving->session, halving->order, halving->count);
    return cells_visit_round(halving->session, halving->cells, halving->order, halving->count,
                             samples < halving->most ? samples : halving->most, halving->execution,
                             halving->begin + halving->part * done, halving->part * part, failed);
}

/** Look again at those of which no sample was kept. */
static int look_again(struct halving *halving, unsigned samples, double done, size_t *failed)
{
    size_t *order = halving->order, count = halving->count;
    int error = 0;
    for (unsigned more = 0; !error && more < LOOKS; more++) {
        size_t unseen = 0;
        for (size_t i = 0; i < count; i++) {
            if (merit_of(halving, i) > 0)
                continue;
            size_t swap = order[unseen];
            order[unseen++] = order[i];
            order[i] = swap;
        }
        halving->count = unseen;
        if (unseen)
            error = visit_all(halving, samples, done, 0, failed);
    }
    halving->count = count;
    return error;
}

static int run_stage(struct halving *halving, size_t number, size_t *failed)
{
    const struct halving_stage *stage = &halving->stages[number];
    const double each = 1.0 / (double)halving->stage_count, begin = (double)number * each;
    if (keep_best(halving, stage->keep))
        return -ENOMEM;
    unsigned rounds = halving->most < stage->samples ? 1 : stage->rounds;
    int error = 0;
    for (unsigned round = 0; !error && round < rounds; round++)
        error = visit_all(halving, stage->samples, begin + each * round / rounds, each / rounds, failed);
    return error ? error : look_again(halving, stage->samples, begin + each, failed);
}

int halving_run(struct halving *halving, size_t *failed)
{
    int error = 0;
    for (size_t number = 0; !error && number < halving->stage_count; number++)
        error = run_stage(halving, number, failed);
    for (unsigned more = 0; !error && more < TRIES && !halving_any_known(halving, halving->count); more++)
        error = visit_all(halving, halving->stages[0].samples, 1, 0, failed);
    return keep_best(halving, halving->count) ? -ENOMEM : error;
}
