/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CELLS_CELL_CELL_H
#define HARNESS_CELLS_CELL_CELL_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/measure/sampler.h"
#include "harness/measure/session.h"
#include "micro/kernel.h"
#include "micro/quantizer.h"
#include "micro/sequence.h"
#include "micro/stream.h"

/**
 * A cell is one thing that is measured: it knows what it is, can take more samples of itself at any time (so that cells
 * can be visited in a random, interleaved order), and keeps every sample.
 */
enum cell_kind { CELL_GAMMA, CELL_BETA, CELL_SYNC, CELL_PREPARE, CELL_GEMV, CELL_KNEE };

enum { CELL_NAMES = 256 };

/** Samples in the order they were taken. */
struct samples {
    struct sample *sample;
    size_t count, capacity;
};

struct cell {
    enum cell_kind kind;
    char name[160]; /* identity within a run, e.g. "gemv/int2_planes.prefix.avx512_vnni/4096x4096/t2/cold" */
    unsigned threads;
    unsigned member;     /* of the widest team, that the first thread runs on; not 0 for another kind of core */
    unsigned tier;       /* of a plan's gemv cells, 0 first: each tier is seen before the next one is begun */
    unsigned visits;     /* how many times it was visited */
    double last_visit_s; /* what the last visit cost, for planning */
    char why[SESSION_WHY];

    /* gamma: samples come in pairs, U then 2U; knee: a read of the roof and a stream of the sequence */
    const struct sequence *sequence;
    const struct sequence_variant *variant;
    uint64_t iterations;

    /* beta */
    const struct stream *stream;
    const struct stream_variant *stream_variant;
    size_t prefetch_bytes;
    const char *level; /* "memory", "L3", "L2", "L1" */
    size_t bytes;      /* one member reads in one sample */

    /* knee, with level, prefetch_bytes and bytes as above; the variant is chosen when gamma is known */
    bool prefetches;
    bool competes; /* one of the distances that are tried; else it takes the best of those */

    /* gemv, prepare */
    const struct kernel *kernel;
    const struct quantizer *quantizer;
    bool bf16;
    size_t m, k;
    bool cold;
    size_t copies;       /* cold gemv: of its matrix that the pool holds; 1: a single layer, larger than the caches */
    bool prefetch_given; /* gemv: prefetch_bytes replaces the kernel's own distance */
    unsigned repeats;    /* of the work within one sample */
    bool verified, exact;
    double error; /* gemv: largest distance from the definition over its largest row, of all visits */
    char models[CELL_NAMES], roles[CELL_NAMES]; /* commas between */

    struct samples samples;
    struct samples roof;  /* cold gemv, knee: read stream of the same team and level, one before each sample */
    size_t roof_bytes;    /* read by the team in one roof sample */
    unsigned roof_stream; /* session_stream_id of the stream that is the roof; 0: not chosen, all count */
};

void cell_release(struct cell *cell);

/** Append; 0 or -ENOMEM. */
int samples_append(struct samples *samples, const struct sample *more, size_t count);

/**
 * Take `count` more samples (pairs for gamma, cold gemv and knee). On failure the cell's `why` says what happened and
 * the cell keeps what it had.
 * @return 0, -ENOMEM, -EILSEQ for a wrong result
 */
int cell_visit(struct session *session, struct cell *cell, unsigned count);

/**
 * Whether a GEMV cell finds the memory it needs: the pool of its team and its own vectors. Nothing is allocated.
 * @return 0, or -ENOMEM with the amounts in why
 */
int measure_gemv_fits(const struct session *session, const struct cell *cell, char *why, size_t size);

/**
 * One GEMV of a cell with its team, its result compared with the scalar reference, nothing timed.
 * @return as cell_visit
 */
int measure_gemv_try(struct session *session, struct cell *cell);

/** Samples, each with the read of the roof before it, with which a cold GEMV cell goes once round its pool. */
size_t measure_gemv_places(const struct session *session, const struct cell *cell);

int measure_gamma(struct session *session, struct cell *cell, unsigned count);
int measure_beta(struct session *session, struct cell *cell, unsigned count);
int measure_sync(struct session *session, struct cell *cell, unsigned count);
int measure_prepare(struct session *session, struct cell *cell, unsigned count);
int measure_gemv(struct session *session, struct cell *cell, unsigned count);
int measure_knee(struct session *session, struct cell *cell, unsigned count);

#endif
