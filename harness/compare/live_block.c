/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/compare/live_block.h"
#include "harness/cells/cell/external_code.h"
#include "harness/cells/cell/kind.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/measure/session_level.h"
#include "harness/plan/protocol.h"
#include "harness/record/end_record.h"
#include "harness/record/run_writer.h"
#include "results/records/record.h"

/** Visits of each cell in random order, and how long to wait for cells that neighbours disturb. */
enum { VISITS = 3, PATIENCE_S = 5 };

/* ---- which cells ---- */

static bool is_wanted(const struct live_block *job, const char *label)
{
    for (size_t i = 0; i < job->only_count; i++) {
        if (strcmp(job->only[i], label) == 0)
            return true;
    }
    return job->only_count == 0;
}

/** Leave the cells that are not asked for out of the plan. */
static int keep_wanted(const struct live_block *job, const struct subject_kind *kind, struct cells *cells)
{
    size_t kept = 0;
    for (size_t i = 0; i < cells->count; i++) {
        char *label = subject_label(kind, cells->cell[i].name);
        if (!label)
            return -ENOMEM;
        if (is_wanted(job, label))
            cells->cell[kept++] = cells->cell[i];
        else
            cell_release(&cells->cell[i]);
        free(label);
    }
    cells->count = kept;
    return 0;
}

static int offer(const struct session *session, const struct subject_kind *kind, const struct cells *cells,
                 FILE *stream)
{
    int error = 0;
    for (size_t i = 0; !error && i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        char *label = subject_label(kind, cell->name);
        json_t *record = label
                             ? json_pack("{s:s, s:s, s:s, s:s, s:i, s:b}", "type", "offer", "name", cell->name, "label",
                                         label, "class", compare_class_name(cell->kind->class_of(session, cell)),
                                         "threads", (int)cell->threads, "cold", cell->cold)
                             : NULL;
        error = record ? record_write_line(stream, record) : -ENOMEM;
        json_decref(record);
        free(label);
    }
    return error;
}

/** What failed its check, or went wrong while it was measured, and what code of others printed. */
static int write_misbehaviour(const struct session *session, FILE *stream)
{
    const struct plugin_output *said = &session->plugins.said;
    int error = 0;
    for (size_t i = 0; !error && i < session->plugins.faults; i++) {
        json_t *record = withheld_record(&session->plugins.fault[i]);
        error = record ? record_write_line(stream, record) : -ENOMEM;
        json_decref(record);
    }
    for (size_t i = 0; !error && i < said->count; i++) {
        json_t *record =
            json_pack("{s:s, s:s, s:s}", "type", "said", "name", said->line[i].name, "text", said->line[i].text);
        error = record ? record_write_line(stream, record) : -ENOMEM;
        json_decref(record);
    }
    return error;
}

/* ---- the read streams beside cold cells ---- */

static int set_roofs(struct session *session, const struct live_block *job, char *why, size_t size)
{
    for (size_t i = 0; i < job->roof_count; i++) {
        char *label;
        struct session_roof roof = {.chosen = true};
        unsigned long threads = strtoul(job->roofs[i], &label, 10);
        int error = -EINVAL;
        if (*label == ':' && threads >= 1 && threads <= session->threads)
            error = session_stream_named(label + 1, &roof.stream);
        if (error || !session_runs(session, roof.stream.stream->isa)) {
            snprintf(why, size, "no read stream '%s'", job->roofs[i]);
            return error ? error : -ENOENT;
        }
        session_set_roof(session, "memory", (unsigned)threads, &roof);
    }
    return 0;
}

/* ---- measuring ---- */

/**
 * What went wrong in code of others while it was measured is all that is compared, but of a plug-in, whose other kernels remain.
 * @return 0 or -EILSEQ
 */
static int find_faulty(const struct session *session, const struct subject_kind *kind, const struct cells *cells,
                       size_t *failed)
{
    if (!kind->named_by_subject)
        return 0;
    for (size_t i = 0; i < cells->count; i++) {
        if (cells->cell[i].why[0] && external_code_is_any(session, &cells->cell[i])) {
            *failed = i;
            return -EILSEQ;
        }
    }
    return 0;
}

static int measure(struct session *session, const struct live_block *job, const struct subject_kind *kind,
                   struct cells *cells, FILE *stream, char *why, size_t size)
{
    struct run_writer writer;
    run_writer_to_stream(&writer, stream, job->block, session);
    unsigned samples = job->samples ? job->samples : LIVE_BLOCK_SAMPLES;
    const struct effort effort = protocol_effort(samples, VISITS, samples / 2, PATIENCE_S);
    /* once round the pool, in this many samples: its pages, drawn anew by each process, are not all equally fast */
    struct execution execution = {
        .visited = run_writer_visited,
        .context = &writer,
        .cold_laps = job->samples ? 0 : 1.0 / effort.rounds,
        .lap_samples = LIVE_BLOCK_LAP_SAMPLES / VISITS,
    };
    size_t failed = 0;
    int error = protocol_measure(session, cells, 0, cells->count, &effort, &execution, &failed);
    if (!error)
        error = find_faulty(session, kind, cells, &failed);
    if (error) {
        protocol_why(cells, failed, error, why, size);
        return error;
    }
    return run_writer_finish(&writer, session, cells, NULL, why, size);
}

int live_block_run(struct session *session, const struct live_block *job, FILE *stream, char *why, size_t size)
{
    const struct subject_kind *kind = subject_kind_of(job->subject);
    struct cells cells = {0};
    struct subject_wants wants = job->wants;
    wants.check = job->block == 0;
    why[0] = 0;
    int error = kind->plan(job->subject, session, &wants, &cells, why, size);
    if (!error)
        error = keep_wanted(job, kind, &cells);
    if (!error && job->block == 0)
        error = offer(session, kind, &cells, stream);
    session->cold_bytes = job->pool_bytes;
    if (!error && job->block)
        error = set_roofs(session, job, why, size);
    if (!error && job->block)
        error = measure(session, job, kind, &cells, stream, why, size);
    if (!error)
        error = write_misbehaviour(session, stream);
    if (error && !why[0])
        snprintf(why, size, "%s: %s", job->subject, strerror(-error));
    cells_release(&cells);
    return error;
}
