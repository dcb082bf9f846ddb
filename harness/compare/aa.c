/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/compare/aa.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int list_cells(struct aa *aa, const struct comparison *first)
{
    aa->cell = calloc(first->count + 1, sizeof *aa->cell);
    for (size_t i = 0; aa->cell && i < first->count; i++) {
        struct aa_cell *cell = &aa->cell[aa->cells++];
        cell->label = strdup(first->outcome[i].name);
        cell->effect = malloc(aa->comparisons * sizeof(double));
        if (!cell->label || !cell->effect)
            return -ENOMEM;
        for (unsigned c = 0; c < aa->comparisons; c++)
            cell->effect[c] = NAN;
    }
    return aa->cell ? 0 : -ENOMEM;
}

int aa_add(struct aa *aa, const struct comparison *comparison)
{
    enum compare_verdict overall = compare_overall(comparison->outcome, comparison->count);
    if (!aa->cell && list_cells(aa, comparison))
        return -ENOMEM;
    memcpy(aa->layout, comparison->layout, sizeof aa->layout); /* measured once for all of them */
    aa->failed += overall == COMPARE_FAILED;
    aa->inconclusive += overall == COMPARE_INCONCLUSIVE;
    for (size_t i = 0; i < aa->cells; i++) {
        for (size_t o = 0; o < comparison->count; o++) {
            const struct compare_outcome *outcome = &comparison->outcome[o];
            /* fewer pairs, where samples were rejected, would make it look noisier than it is */
            if (strcmp(outcome->name, aa->cell[i].label) == 0 && outcome->base_blocks >= LIVE_BLOCKS_LEAST)
                aa->cell[i].effect[aa->made] = outcome->effect;
        }
    }
    aa->made++;
    return 0;
}

static bool any_finite(const double *effect, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (isfinite(effect[i]))
            return true;
    }
    return false;
}

int aa_floors(struct aa *aa, const struct live *live, unsigned blocks, struct machine_floor *floor)
{
    char measured[32];
    time_t now = time(NULL);
    struct tm utc;
    int known = 0;
    strftime(measured, sizeof measured, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    for (int c = 0; c < COMPARE_CLASSES; c++) {
        const char *class = compare_class_name((enum compare_class)c);
        if (aa->made && noise_floor_put_layout(&floor->floor, class, aa->layout[c], measured))
            return -ENOMEM;
    }
    for (size_t i = 0; i < aa->cells; i++) {
        struct aa_cell *cell = &aa->cell[i];
        cell->name = live_cell_name(live, 0, cell->label);
        cell->floor = NAN;
        if (!cell->name || !any_finite(cell->effect, aa->made))
            continue;
        if (noise_floor_put(&floor->floor, cell->name, cell->effect, aa->made, blocks, measured))
            return -ENOMEM;
        cell->floor = noise_floor_of(&floor->floor, cell->name, blocks);
        known++;
    }
    return known;
}

void aa_release(struct aa *aa)
{
    for (size_t i = 0; i < aa->cells; i++) {
        free(aa->cell[i].label);
        free(aa->cell[i].effect);
    }
    free(aa->cell);
}
