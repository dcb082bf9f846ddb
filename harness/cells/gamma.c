/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gamma: core cycles per output vector of 32 weights, from U and 2U dot products an iteration. The samples of a cell
 * alternate, U then 2U; their difference has neither the loop nor the timer in it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/cells/cell/cell.h"
#include "platforms/clock.h"

/** Core cycles of the shorter sample of a pair. */
enum { SAMPLE_CYCLES = 40000 };

struct job {
    const struct cell *cell;
    struct sequence_operands operands;
};

static void run(void *context, unsigned member, unsigned sample)
{
    (void)member;
    struct job *job = context;
    const struct sequence_variant *variant = job->cell->variant;
    (sample % 2 ? variant->run_2u : variant->run_u)(&job->operands, job->cell->iterations);
}

static uint64_t choose_iterations(const struct sequence_variant *variant, const struct sequence_operands *operands,
                                  double tsc_hz)
{
    enum { PROBE = 64 };
    variant->run_u(operands, PROBE);
    struct clock_reading clock = clock_read(tsc_hz);
    uint64_t begin = tsc_begin().ticks;
    variant->run_u(operands, PROBE);
    double cycles = (double)(tsc_end().ticks - begin) / tsc_hz * clock.imul_hz / PROBE;
    double iterations = cycles > 1 ? SAMPLE_CYCLES / cycles : SAMPLE_CYCLES;
    return iterations < 4 ? 4 : (uint64_t)iterations;
}

int measure_gamma(struct session *session, struct cell *cell, unsigned pairs)
{
    _Alignas(64) uint8_t weights[SEQUENCE_WEIGHT_BYTES_MAX];
    _Alignas(64) uint8_t activations[SEQUENCE_ACTIVATION_BYTES_MAX];
    _Alignas(64) uint8_t accumulators[SEQUENCE_ACCUMULATORS_MAX * SEQUENCE_VECTOR_BYTES_MAX];
    sequence_draw(cell->sequence, session_random(session), 1, weights, activations);
    struct job job = {.cell = cell, .operands = {weights, activations, accumulators}};

    struct team *team = session_team_from(session, cell->member, cell->threads, cell->why, sizeof cell->why);
    if (!team)
        return -EINVAL;
    size_t wrong = sequence_check(cell->sequence, cell->variant, &job.operands);
    cell->verified = true;
    cell->exact = wrong == 0;
    if (wrong) {
        snprintf(cell->why, sizeof cell->why, "%s with %lu accumulators is wrong in %zu lanes", cell->sequence->name,
                 (unsigned long)cell->variant->accumulators, wrong);
        return -EILSEQ;
    }
    if (!cell->iterations)
        cell->iterations = choose_iterations(cell->variant, &job.operands, session->instruments.tsc_hz);

    struct sample *samples = calloc(2 * (size_t)pairs, sizeof *samples);
    if (!samples)
        return -ENOMEM;
    struct sampler_work work = {.context = &job, .first_member = cell->member, .region = cell->name, .run = run};
    int error = sampler_take(team, &session->instruments, &work, samples, 2 * pairs);
    if (!error)
        error = samples_append(&cell->samples, samples, 2 * (size_t)pairs);
    free(samples);
    return error;
}
