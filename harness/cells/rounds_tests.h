/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* For tests only: a cells, and a session to carry it out. Include cmocka.h before it. */

#include <stdlib.h>
#include <string.h>

#include "harness/cells/cell/cell.h"
#include "harness/cells/cell/rounds.h"
#include "harness/cells/sync/sync.h"
#include "harness/measure/session_level.h"
#include "unit_test.h"

/** One thread of this machine, with caches that make streams short. */
struct bench {
    struct session *session;
    struct cells cells;
    size_t visits, order[64];
    double last_fraction;
    int stop;
};

static inline int open_bench(void **state)
{
    struct bench *bench = calloc(1, sizeof *bench);
    char why[SESSION_WHY];
    struct session_request request = {.team.threads = 1, .seed = 7};
    assert_non_null(bench);
    assert_int_equal(session_open(&request, &bench->session, why, sizeof why), 0);
    bench->session->llc_bytes = 4 << 20;
    *state = bench;
    return 0;
}

static inline int close_bench(void **state)
{
    struct bench *bench = *state;
    cells_release(&bench->cells);
    session_close(bench->session);
    free(bench);
    return 0;
}

static inline void note_visit(void *context, const struct cell *cell, size_t first, size_t roof_first)
{
    struct bench *bench = context;
    assert_int_equal(roof_first, 0);
    assert_true(first < cell->samples.count);
    if (bench->visits < 64)
        bench->order[bench->visits] = (size_t)(cell - bench->cells.cell);
    bench->visits++;
}

static inline void note_progress(void *context, double fraction, const char *now)
{
    struct bench *bench = context;
    assert_true(fraction >= bench->last_fraction && fraction <= 1);
    assert_true(strlen(now) > 0);
    bench->last_fraction = fraction;
}

/** Cells that are quick to visit: the barrier of a team of one. */
static inline void add_quick_cells(struct bench *bench, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_int_equal(sync_add(&bench->cells, 1), 0);
}

static inline struct execution execution_of(struct bench *bench)
{
    return (struct execution){.visited = note_visit, .progress = note_progress, .context = bench};
}

static inline int visit_all(struct bench *bench, const struct execution *execution, unsigned rounds, unsigned count,
                            size_t *failed)
{
    return cells_visit(bench->session, &bench->cells, 0, bench->cells.count, rounds, count, execution, failed);
}

/** A sequence of many accumulators that this CPU runs; NULL: none. */
static inline const struct sequence *one_that_runs(const struct bench *bench)
{
    for (const struct sequence *const *sequence = sequence_all(); *sequence; sequence++) {
        if ((*sequence)->variants >= 4 && session_runs(bench->session, (*sequence)->isa))
            return *sequence;
    }
    return NULL;
}

static inline void give_roof(struct bench *bench, const char *level)
{
    struct session_roof roof = {.chosen = true};
    struct session_stream stream;
    for (size_t i = 0; session_stream_at(i, &stream); i++) {
        if (session_runs(bench->session, stream.stream->isa))
            roof.stream = (struct session_stream){stream.stream, &stream.stream->variants[0], 0};
    }
    assert_non_null(roof.stream.stream);
    session_set_roof(bench->session, level, 1, &roof);
}
