/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/cell/cell.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/kind.h"
#include "platforms/clock.h"

/** Room for one more. */
static bool grow(struct cells *cells)
{
    if (cells->count < cells->capacity)
        return true;
    size_t capacity = cells->capacity ? 2 * cells->capacity : 64;
    struct cell *grown = realloc(cells->cell, capacity * sizeof *grown);
    if (!grown)
        return false;
    cells->cell = grown;
    cells->capacity = capacity;
    return true;
}

struct cell *cells_add(struct cells *cells, const struct cell_kind *kind)
{
    void *own = calloc(1, kind->own + 1);
    if (!own || !grow(cells)) {
        free(own);
        return NULL;
    }
    struct cell *cell = &cells->cell[cells->count++];
    *cell = (struct cell){.kind = kind, .threads = 1, .own = own};
    return cell;
}

struct cell *cells_find(const struct cells *cells, const char *name)
{
    for (size_t i = 0; i < cells->count; i++) {
        if (strcmp(cells->cell[i].name, name) == 0)
            return &cells->cell[i];
    }
    return NULL;
}

void cells_release(struct cells *cells)
{
    for (size_t i = 0; i < cells->count; i++)
        cell_release(&cells->cell[i]);
    free(cells->cell);
    *cells = (struct cells){0};
}

void cell_release(struct cell *cell)
{
    free(cell->samples.sample);
    free(cell->roof.sample);
    free(cell->own);
    cell->samples = cell->roof = (struct samples){0};
    cell->own = NULL;
}

int samples_append(struct samples *samples, const struct sample *more, size_t count)
{
    if (samples->count + count > samples->capacity) {
        size_t capacity = 2 * (samples->count + count);
        struct sample *grown = realloc(samples->sample, capacity * sizeof *grown);
        if (!grown)
            return -ENOMEM;
        samples->sample = grown;
        samples->capacity = capacity;
    }
    memcpy(samples->sample + samples->count, more, count * sizeof *more);
    samples->count += count;
    return 0;
}

int cell_visit(struct session *session, struct cell *cell, unsigned count)
{
    double begin_s = clock_monotonic_s();
    int error = cell->kind->visit(session, cell, count);
    cell->last_visit_s = clock_monotonic_s() - begin_s;
    cell->visits++;
    return error;
}
