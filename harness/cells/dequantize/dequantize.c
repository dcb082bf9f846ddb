/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What happens to the results of a GEMV of integers: the last step of the envelope paper's pipeline (section III), apart.
 */
#include "harness/cells/dequantize/dequantize.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/cells/cell/fields.h"
#include "harness/cells/cell/kind.h"
#include "harness/cells/prepare/prepare.h"

/** Rows of one sample, so that the meeting of the team does not show. */
enum { SAMPLE_ROWS = 65536 };

/* ---- which cells ---- */

static int add(struct cells *cells, const struct quantizer *quantizer, bool bf16, size_t m)
{
    char name[160];
    snprintf(name, sizeof name, "dequantize/%s/%s/%zu", bf16 ? "bf16" : "f32", quantizer->name, m);
    if (cells_find(cells, name))
        return 0;
    struct cell *cell = cells_add(cells, &cell_kind_dequantize);
    if (!cell)
        return -ENOMEM;
    *dequantize_cell(cell) = (struct dequantize_cell){.quantizer = quantizer, .bf16 = bf16, .m = m};
    cell->repeats = (unsigned)(SAMPLE_ROWS / m) + 1;
    snprintf(cell->name, sizeof cell->name, "%s", name);
    return 0;
}

int dequantize_add(struct cells *cells, const struct session *session, const struct kernel *kernel, size_t m)
{
    const struct quantizer *quantizer = prepare_quantizer(session);
    if (kernel->gives != KERNEL_GIVES_INT32 || !quantizer)
        return 0;
    int error = add(cells, quantizer, false, m);
    return error ? error : add(cells, quantizer, true, m);
}

/* ---- taking samples ---- */

struct job {
    const struct cell *cell;
    int32_t *sums;
    float *row_scales;
    float scale;
    void *y;
};

static void run(void *context, unsigned member, unsigned sample)
{
    (void)member, (void)sample;
    const struct job *job = context;
    const struct dequantize_cell *own = dequantize_cell(job->cell);
    for (unsigned i = 0; i < job->cell->repeats; i++) {
        if (own->bf16)
            own->quantizer->rows_to_bf16(job->sums, job->row_scales, job->scale, own->m, job->y);
        else
            own->quantizer->rows_to_f32(job->sums, job->row_scales, job->scale, own->m, job->y);
        __asm__ volatile("" ::: "memory");
    }
}

static void draw(struct session *session, const struct job *job, size_t m)
{
    for (size_t row = 0; row < m; row++) {
        uint64_t random = session_random(session);
        job->sums[row] = (int32_t)(random >> 44) - (1 << 19); /* as of some thousand products of few bits and eight */
        job->row_scales[row] = 0.001f + (float)(random & 0xfff) * 0x1p-20f;
    }
}

static int visit(struct session *session, struct cell *cell, unsigned count)
{
    if (!session_team(session, cell->threads, cell->why, sizeof cell->why))
        return -EINVAL;
    size_t m = dequantize_cell(cell)->m, bytes = (m * sizeof(float) + 63) / 64 * 64;
    struct job job = {.cell = cell, .scale = 0.0078125f};
    job.sums = aligned_alloc(64, bytes);
    job.row_scales = aligned_alloc(64, bytes);
    job.y = aligned_alloc(64, bytes);
    int error = job.sums && job.row_scales && job.y ? 0 : -ENOMEM;
    if (!error) {
        struct sampler_work work = {.context = &job, .region = cell->name, .run = run};
        draw(session, &job, m);
        run(&job, 0, 0);
        error = cell_take(session, cell, &work, count);
    }
    free(job.sums);
    free(job.row_scales);
    free(job.y);
    return error;
}

/* ---- what they say ---- */

const struct cell *dequantize_find(const struct cells *cells, const struct kernel *kernel, size_t m)
{
    for (size_t i = 0; kernel->gives == KERNEL_GIVES_INT32 && i < cells->count; i++) {
        const struct dequantize_cell *own = dequantize_cell(&cells->cell[i]);
        if (own && own->m == m && !own->bf16 && cells->cell[i].samples.count)
            return &cells->cell[i];
    }
    return NULL;
}

static json_t *record_of(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    (void)session, (void)cells;
    const struct dequantize_cell *own = dequantize_cell(cell);
    json_t *record =
        json_pack("{s:s, s:s, s:s, s:s, s:I}", "type", "dequantize", "name", own->bf16 ? "rows.bf16" : "rows.f32",
                  "quantizer", own->quantizer->name, "isa", own->quantizer->isa, "m", (json_int_t)own->m);
    field_set_quantity(record, "time_s", summary_time(cell), "s");
    field_set_proof(record, cell);
    return record;
}

static struct cell_cost cost(const struct session *session, const struct cell *cell)
{
    (void)session;
    static const double ROW_S = 1e-9; /* of the scalar reference */
    return (struct cell_cost){.visit_s = 5e-4,
                              .sample_s = 5e-5 + ROW_S * cell->repeats * (double)dequantize_cell(cell)->m};
}

/** Not in a characterization: it follows a product that the user asks for. */
const struct cell_kind cell_kind_dequantize = {
    .name = "dequantize",
    .own = sizeof(struct dequantize_cell),
    .visit = visit,
    .apart = true,
    .rank = 31,
    .cost = cost,
    .record = record_of,
};
