/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CELLS_GEMV_H
#define HARNESS_CELLS_GEMV_H

#include "harness/cells/cell/summary.h"
#include "micro/shape.h"

/**
 * GEMV of a kernel on a shape and a team. Cold: every sample reads another copy of the weights from memory, just after a
 * read of the roof. Warm: the same weights again and again.
 */
struct gemv_cell {
    size_t m, k;
    size_t copies;         /* cold: of its matrix that the pool holds; 1: a single layer, larger than the caches */
    bool prefetch_given;   /* prefetch_bytes replaces the kernel's own distance */
    size_t prefetch_bytes; /* of the software prefetch */
    unsigned tier;         /* of a characterization, 0 first: each is seen before the next one is begun */
    unsigned roof_stream;  /* session_stream_id of the stream that is the roof; 0: not chosen, all count */
    char models[CELL_NAMES], roles[CELL_NAMES]; /* commas between */
};
extern const struct cell_kind cell_kind_gemv;

/** What only a GEMV cell has; NULL for a cell of another kind. */
struct gemv_cell *gemv_cell(const struct cell *cell);

/** 0 or -ENOMEM. */
int gemv_add(struct cells *cells, const struct kernel *kernel, const struct shape *shape, unsigned threads, bool cold);

/** Of a kernel on a shape with each of the teams: cold, warm or both. 0 or -ENOMEM. */
int gemv_add_teams(struct cells *cells, const struct kernel *kernel, const struct shape *shape, const unsigned *sizes,
                   size_t teams, bool cold, bool warm);

/** What is asked of memory. */
struct gemv_work {
    const struct kernel *kernel;
    size_t m, k;
    unsigned threads;
    bool cold;
};

/**
 * Whether a GEMV finds the memory it needs: the pool of its team and its own vectors. Nothing is allocated.
 * @return 0, or -ENOMEM with the amounts in why
 */
int gemv_fits(const struct session *session, const struct gemv_work *work, char *why, size_t size);

/**
 * One GEMV with its team, its result compared with the scalar reference, nothing timed.
 * @return as cell_visit, with one line in why
 */
int gemv_try(struct session *session, const struct gemv_work *work, char *why, size_t size);

/** Samples, each with the read of the roof before it, with which a cold cell goes once round its pool; 0 for a warm one. */
size_t gemv_places(const struct session *session, const struct cell *cell);

/**
 * Of the read streams that took turns as the roof beside the cold cells of this team size, the one with the highest
 * median over all of them becomes the roof of each. Call it before the quantities below.
 */
void gemv_choose_roofs(struct cells *cells, unsigned threads);

/** session_stream_id of the stream that is the roof beside this cell; 0: all that were read count. */
unsigned gemv_roof_stream(const struct cell *cell);

/** Attained bandwidth over the roof measured just before each sample, of a cold cell; pairs with its roof stream. */
struct graded gemv_roof_fraction(const struct cell *cell);
/** The roof beside a cold cell, bytes per second of the team. */
struct graded gemv_roof_beside(const struct cell *cell);

/** Bytes of the packed matrix, padding included. */
double gemv_packed_bytes(const struct cell *cell);

/** Memory level that the weights come from: "memory", "L3", "L2" or "L1". */
const char *gemv_level(const struct session *session, const struct cell *cell);

/** Attained: bytes per second of the team, bytes per core cycle per core, operations per core cycle per core. */
struct graded gemv_bandwidth(const struct cell *cell);
struct graded gemv_bytes_per_cycle(const struct cell *cell);
struct graded gemv_operations(const struct cell *cell);

/** As struct cell_kind wants it; of the parts of this kind. */
json_t *gemv_record(const struct session *session, const struct cells *cells, const struct cell *cell);

#endif
