/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What happens to the activations before a GEMV: quantization of one tensor of k values, the tables or blocks that a
 * kernel makes of what it takes, or both in turn, from f32 to a kernel's operand. One core, data in its caches as after
 * the layer before.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/cell.h"

struct job {
    const struct cell *cell;
    void *x;
    int8_t *q;
    void *operand;
    size_t columns; /* k as the kernel is given it */
};

static void run(void *context, unsigned member, unsigned sample)
{
    (void)member, (void)sample;
    struct job *job = context;
    const struct cell *cell = job->cell;
    const void *taken = cell->kernel && cell->kernel->takes == KERNEL_TAKES_F32 ? job->x : job->q;
    for (unsigned i = 0; i < cell->repeats; i++) {
        struct quantized result = {0};
        if (cell->quantizer)
            result = cell->bf16 ? cell->quantizer->from_bf16(job->x, cell->k, job->q)
                                : cell->quantizer->from_f32(job->x, cell->k, job->q);
        __asm__ volatile("" ::"r"(result.sum) : "memory");
        if (cell->kernel)
            cell->kernel->prepare(taken, job->columns, job->operand);
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
    struct job job = {.cell = cell};
    job.columns = cell->kernel ? format_columns(cell->kernel->format, cell->k) : cell->k;
    size_t readable = (job.columns + 63) / 64 * 64;
    job.x = calloc(readable, sizeof(float));
    job.q = calloc(readable, 1);
    struct sample *samples = calloc(count, sizeof *samples);
    int error = job.x && job.q && samples ? 0 : -ENOMEM;
    if (cell->kernel) {
        job.operand = aligned_alloc(64, (kernel_prepared_bytes(cell->kernel, cell->k) + 63) / 64 * 64);
        error = job.operand ? error : -ENOMEM;
    }
    if (!error) {
        draw(session, cell, job.x);
        for (size_t i = 0; i < cell->k; i++)
            job.q[i] = (int8_t)((int)(session_random(session) >> 40) % 255 - 127);
        struct sampler_work work = {.context = &job, .region = cell->name, .run = run};
        run(&job, 0, 0);
        error = sampler_take(team, &session->instruments, &work, samples, count);
    }
    if (!error)
        error = samples_append(&cell->samples, samples, count);
    free(job.operand);
    free(job.x);
    free(job.q);
    free(samples);
    return error;
}
