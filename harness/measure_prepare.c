/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Activation quantization, a step of its own: one tensor of k values on one core, data in its caches as after the layer
 * before.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cell.h"

struct job {
    const struct cell *cell;
    void *x;
    int8_t *q;
};

static void run(void *context, unsigned member, unsigned sample)
{
    (void)member, (void)sample;
    struct job *job = context;
    const struct cell *cell = job->cell;
    for (unsigned i = 0; i < cell->repeats; i++) {
        struct quantized result = cell->bf16 ? cell->quantizer->from_bf16(job->x, cell->k, job->q)
                                             : cell->quantizer->from_f32(job->x, cell->k, job->q);
        __asm__ volatile("" ::"r"(result.sum) : "memory");
    }
}

static void draw(struct session *session, const struct cell *cell, void *x)
{
    for (size_t i = 0; i < cell->k; i++) {
        float value = (float)((double)(session_random(session) >> 40) / (1 << 23) - 1.0);
        if (cell->bf16) {
            uint32_t bits;
            memcpy(&bits, &value, sizeof bits);
            ((uint16_t *)x)[i] = (uint16_t)(bits >> 16);
        } else {
            ((float *)x)[i] = value;
        }
    }
}

int measure_prepare(struct session *session, struct cell *cell, unsigned count)
{
    struct team *team = session_team(session, cell->threads, cell->why, sizeof cell->why);
    if (!team)
        return -EINVAL;
    struct job job = {.cell = cell, .x = malloc(cell->k * sizeof(float)), .q = malloc(cell->k)};
    struct sample *samples = calloc(count, sizeof *samples);
    int error = job.x && job.q && samples ? 0 : -ENOMEM;
    if (!error) {
        draw(session, cell, job.x);
        struct sampler_work work = {.context = &job, .run = run};
        run(&job, 0, 0);
        error = sampler_take(team, &session->instruments, &work, samples, count);
    }
    if (!error)
        error = samples_append(&cell->samples, samples, count);
    free(job.x);
    free(job.q);
    free(samples);
    return error;
}
