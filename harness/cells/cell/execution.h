/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "harness/cells/cell/cell.h"

/** Cells that there is room for in the records of a run. */
enum execution_room { ROOM_FOR_ALL, ROOM_FOR_BEGUN /* those with samples */, ROOM_FOR_NONE };

/** How cells are carried out: until when, how thoroughly, and who hears of it. */
struct execution {
    double deadline_s;               /* CLOCK_MONOTONIC; 0: none */
    const volatile int *stop;        /* set by a signal handler; NULL: never */
    const enum execution_room *room; /* may change after each visit; NULL: for all */
    unsigned roof_samples;           /* of the roof in beta_find_roof, and at most of a stream of its search; 0: 18 */
    double cold_laps;                /* of its pool that a cell which has one goes round in a visit, at least */
    unsigned lap_samples;            /* of a visit at most, on account of cold_laps; 0: as many as it takes */
    bool keep_going; /* a cell that fails is noted in its `why` and skipped; else it ends the execution */
    /** After each visit; the cell's samples from `first` on are new (and roof samples from roof_first). NULL: none. */
    void (*visited)(void *context, const struct cell *cell, size_t first, size_t roof_first);
    /**
     * Gives cells [first, end), which were just added, the samples that an earlier part of the run has of them. NULL: there is
     * no earlier part.
     * @return 0, or a negative errno with one line in the `why` of the first
     */
    int (*added)(void *context, struct cells *cells, size_t first, size_t end);
    /**
     * Between parts: nothing that is still measured changes what cells [0, end) say. NULL: nobody asks.
     * @return 0, or a negative errno that ends the execution
     */
    int (*final)(void *context, const struct cells *cells, size_t end);
    /** Between visits: how far this part is, 0 … 1. NULL: none. */
    void (*progress)(void *context, double fraction, const char *now);
    void *context;
};

/** How thoroughly cells are measured. */
struct effort {
    unsigned rounds;   /* visits of each cell; 0: as its kind is carried out (struct cell_kind) */
    unsigned samples;  /* a visit */
    size_t settled;    /* kept samples to wait for (cells_settle) */
    double patience_s; /* and for how long; 0: not at all */
    bool once; /* of cells that were just added: samples that the run has of them already count (execution_added) */
};

/**
 * Whether to begin with a cell, as long as its last visit was.
 * @return 0; -EINTR stopped; -ETIME past the deadline, or no room for it
 */
int execution_may_visit(const struct execution *execution, const struct cell *cell);

/**
 * Report cells that were added, and suspend those that have as many kept samples as are wanted.
 * @return 0, or the error of `added`, with *failed the cell that says why
 */
int execution_added(const struct execution *execution, struct cells *cells, size_t first, size_t end, size_t wanted,
                    size_t *failed);

/** Report that cells [0, end) are final. @return as `final` */
int execution_final(const struct execution *execution, const struct cells *cells, size_t end);

/** Part of an execution, as reported to the observer of the whole; kept by the caller as long as the part lasts. */
struct execution_span {
    const struct execution *whole;
    double begin, end; /* of the progress of the whole, 0 … 1 */
};

/** The whole execution again, whose progress from 0 to 1 is from begin to end of it. */
struct execution execution_spanning(struct execution_span *span, const struct execution *whole, double begin,
                                    double end);

/** The same execution, ending after seconds at the latest. */
struct execution execution_within(const struct execution *execution, double seconds);

/** The result of an execution that was given part of another's time: that the part is over does not end the whole. */
int execution_of_part(int error, const struct execution *part, const struct execution *whole);
