/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/cell/cell.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "platforms/clock.h"

void cell_release(struct cell *cell)
{
    free(cell->samples.sample);
    free(cell->roof.sample);
    cell->samples = cell->roof = (struct samples){0};
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
    static int (*const measure[])(struct session * session, struct cell * cell, unsigned count) = {
        [CELL_GAMMA] = measure_gamma,     [CELL_BETA] = measure_beta, [CELL_SYNC] = measure_sync,
        [CELL_PREPARE] = measure_prepare, [CELL_GEMV] = measure_gemv, [CELL_KNEE] = measure_knee,
    };
    double begin_s = clock_monotonic_s();
    int error = measure[cell->kind](session, cell, count);
    cell->last_visit_s = clock_monotonic_s() - begin_s;
    cell->visits++;
    return error;
}
