/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "harness/cells/cell/energy.h"
#include "harness/measure/sampler.h"
#include "harness/measure/session.h"
#include "micro/kernel.h"
#include "micro/sequence.h"

/**
 * A cell is one thing that is measured: it knows what it is, can take more samples of itself at any time (so that cells
 * can be visited in a random, interleaved order), and keeps every sample. Its kind (harness/cells/cell/kind.h) knows
 * how; what only that kind has is in `own`, which the header of the kind gives out.
 */
struct cell_kind;

enum { CELL_NAMES = 256 };

/** Samples in the order they were taken. */
struct samples {
    struct sample *sample;
    size_t count, capacity;
};

struct cell {
    const struct cell_kind *kind;
    char name[192]; /* identity within a run, e.g. "gemv/int2_planes.prefix.avx512_vnni/4096x4096/t2/cold" */
    unsigned threads;
    unsigned member; /* of the widest team, that the first thread runs on; not 0 for another kind of core */
    bool cold;       /* reads from memory; else, if it reads at all, again and again from a cache */

    /* whose code runs; both NULL: none that a plug-in could bring */
    const struct kernel *kernel;
    const struct sequence *sequence;

    unsigned value; /* in a plan: cells of less value are taken after this one; 0 first */
    bool suspended; /* rounds pass it by for now */
    bool left_out;  /* the plan leaves it out, and why says so: it has not failed */
    bool dropped;   /* left out, although it was planned at first: others took longer than estimated */
    bool needless;  /* what another cell found made it needless, and why says so: it is not missed */

    unsigned visits;     /* how many times it was visited */
    double last_visit_s; /* what the last visit cost, for planning */
    char why[SESSION_WHY];

    uint64_t iterations; /* of the loop that a sample times; 0: not chosen yet, or no such loop */
    unsigned repeats;    /* of the work within one sample */
    bool verified, exact;
    bool releases_vectors; /* after each call of its kernel, which leaves upper halves of vector registers in use */
    double error;          /* largest distance from the definition over its largest row, of all visits */

    struct samples samples; /* of a kind with halves in pairs, one half then the other */
    struct samples roof;    /* where beside_roof: the read stream of the same team and level, one before each sample */
    bool beside_roof;
    size_t roof_bytes;             /* read by the team in one roof sample */
    unsigned roof_stream;          /* session_stream_id of the roof it is held against; 0: not known yet, all count */
    struct energy energy;          /* where it is counted, and samples are too short for it */
    double roof_local_bytes_per_s; /* of the roof beside other cells about then (roof_paired.h); 0: not known */

    void *own; /* of the kind, zeroed at first */
};

struct cells {
    struct cell *cell;
    size_t count, capacity;
};

/** NULL: none of that name. */
struct cell *cells_find(const struct cells *cells, const char *name);

void cells_release(struct cells *cells);

/** The samples and what the kind has; the cell itself stays. */
void cell_release(struct cell *cell);

/** Of the cells from `first` on only those stay, in their order, of which keeps() says so; the others are released. */
void cells_keep(struct cells *cells, size_t first, bool (*keeps)(const void *context, struct cell *cell),
                const void *context);

/** Take this many samples of the work with the session's team, as sampler_take, and append them to the cell's. */
int cell_take(struct session *session, struct cell *cell, const struct sampler_work *work, unsigned count);

/** Append; 0 or -ENOMEM. */
int samples_append(struct samples *samples, const struct sample *more, size_t count);
