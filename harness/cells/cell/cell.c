/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/cell/cell.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/kind.h"

struct cell *cells_find(const struct cells *cells, const char *name)
{
    for (size_t i = cells->count; i-- > 0;) { /* what is planned twice was planned a moment ago */
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
    if (cell->own && cell->kind && cell->kind->release)
        cell->kind->release(cell);
    free(cell->own);
    cell->samples = cell->roof = (struct samples){0};
    cell->own = NULL;
}

void cells_keep(struct cells *cells, size_t first, bool (*keeps)(const void *context, struct cell *cell),
                const void *context)
{
    size_t kept = first;
    for (size_t i = first; i < cells->count; i++) {
        struct cell *cell = &cells->cell[i];
        if (keeps(context, cell))
            cells->cell[kept++] = *cell;
        else
            cell_release(cell);
    }
    cells->count = kept;
}

int samples_append(struct samples *samples, const struct sample *more, size_t count)
{
    if (!count)
        return 0;
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

int cell_take(struct session *session, struct cell *cell, const struct sampler_work *work, unsigned count)
{
    struct sample *samples = calloc(count, sizeof *samples);
    int error = samples ? sampler_take(session->team, &session->instruments, work, samples, count) : -ENOMEM;
    if (!error)
        error = samples_append(&cell->samples, samples, count);
    free(samples);
    return error;
}
