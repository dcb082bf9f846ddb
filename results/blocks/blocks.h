/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "results/gate/compare.h"
#include "results/records/run.h"

/**
 * What a run is reduced to for a comparison: for every cell one value a block, the median of its kept samples there, or
 * their lower quartile (blocks_of_live_run).
 *
 * A block is a process: samples carry the number of theirs in the field "block". What differs between processes, such
 * as where memory and code happen to lie, is part of what a comparison must allow for, so blocks are the replicates. A
 * run with fewer than BLOCKS_LEAST_PROCESSES of them (or of a time before the field) has its visits for blocks instead;
 * they share one process and its luck, and the comparison says that it is weaker.
 *
 * Cells that depend on the core alone (COMPARE_CORE) are valued in core cycles, so that a clock that steps up and down
 * is no change of the code; only samples of the best grade that the cell has count, never "wall". The others are valued
 * in seconds. A gamma is cycles per output vector, of a sequence the one with its best number of accumulators.
 *
 * Errors: 0 or negative errno.
 */
enum { BLOCKS_LEAST_PROCESSES = 4, BLOCKS_LEAST_SAMPLES = 2 };

/** What the model takes the time of a GEMV or GEMM apart by (results/comparison/comparison_terms.h). 0 or NULL: not known. */
struct blocks_model {
    char *gamma;      /* of a GEMV: cell of its sequence's gamma, by its name among these */
    double computing; /* of a GEMM: core cycles of a core per output vector, all tokens together, without reading */
    double packed_bytes, vectors, roof_bytes; /* of the team */
    double core_hz;                           /* median over the kept samples; also of cells of other kinds */
    unsigned threads;
};

struct blocks_cell {
    char *name;
    struct blocks_model model;
    enum compare_class class;
    bool control;    /* of the machine, not of a kernel: a roof or the barrier; shown, never judged */
    bool cycles;     /* values are core cycles, else seconds */
    double timed_s;  /* median seconds of one timed piece of work; of gamma the difference of the pair */
    size_t count;    /* blocks that have a value */
    double *value;   /* [count], > 0 */
    double *roof_s;  /* [count] median seconds of the roof samples taken with them, NaN without any */
    unsigned *block; /* [count] ascending, < blocks of the run */
    size_t kept, rejected;
};

/** How noisy the run was, by itself. NaN: not known. A spread is 1.4826 MAD of the logarithms of the blocks. */
struct blocks_noise {
    double neighbour_share; /* of the samples, rejected since another thread used the core's sibling or moved its clock */
    double steal_share;     /* of the CPU time of the run, taken by the hypervisor */
    double spread[COMPARE_CLASSES];         /* median over the cells that are judged */
    double control_spread[COMPARE_CLASSES]; /* median over the controls: roofs, barrier, and the roofs beside cells */
};

/** Which side of a comparison a run is. */
enum blocks_side { BLOCKS_BASE, BLOCKS_HEAD };

/** For which cells the host counts as shared with others. */
struct blocks_sharing {
    bool shared[COMPARE_CLASSES];
    char why[160]; /* the first cause, in words; "" for a quiet host */
};

struct blocks {
    json_t *meta;     /* facts of the run: cpu, compiler, flags, host, revision, … */
    char pages[64];   /* "thp 1.00": kind and least fraction of huge pages, "" if unknown */
    char source[24];  /* benchmark that it comes from (results/blocks/foreign.h), "" for a run of ours */
    char clock[16];   /* grade of the core cycles, "" without any */
    bool processes;   /* blocks are processes, else visits */
    size_t count;     /* of blocks */
    unsigned *number; /* [count] ascending: number of each process in its run, of visits as they were made */
    struct blocks_noise noise;
    double layout[COMPARE_CLASSES]; /* how far a change of layout alone moves such cells, logarithm; NaN: not measured */
    struct blocks_cell *cell;       /* sorted by name */
    size_t cells;
};

/** What a block is: "process", "visit", or "sample" of another benchmark. */
const char *blocks_replicate(const struct blocks *blocks);

/** From the records of a run. @return 0, -ENOMEM, -ENODATA for a run without a sample */
int blocks_of_run(const struct run_records *records, struct blocks *blocks);

/**
 * The same of one side of a live comparison, with the lower quartile of a block's times for its median: others on a host
 * only ever add to a time, and both sides are reduced now, in the same way. A gamma, the difference of two times, is the
 * median in either.
 */
int blocks_of_live_run(const struct run_records *records, struct blocks *blocks);

/** As reviewable JSON and back (results/blocks/baseline.h). New reference, NULL without memory. */
json_t *blocks_to_json(const struct blocks *blocks);
/** -EINVAL with the reason in why for what blocks_to_json does not write. */
int blocks_from_json(const json_t *object, struct blocks *blocks, char *why, size_t size);

void blocks_release(struct blocks *blocks);

/** By name, among cells in order of their names; NULL: none. */
const struct blocks_cell *blocks_find(const struct blocks *blocks, const char *name);

/** Whether both hold the same measurement: cells of the same names with the same values, at least one. */
bool blocks_are_same(const struct blocks *one, const struct blocks *other);

/** Put the cells in order of their names, as blocks_find wants them. */
void blocks_sort(struct blocks *blocks);

/** Give cells other names: `rename` returns a new one, which is taken over, or NULL to leave the cell out. */
void blocks_rename(struct blocks *blocks, char *(*rename)(void *context, const char *name), void *context);

/** Take the blocks of these numbers from the cells of a class. */
void blocks_drop(struct blocks *blocks, enum compare_class class, const unsigned *numbers, size_t count);

/** Class of a cell from what its record says: type, protocol ("cold", "warm" or NULL), level ("L1" … or NULL). */
enum compare_class blocks_class(const char *type, const char *protocol, const char *level);

/** 1.4826 MAD of the logarithms of those values that are above 0; NaN for fewer than 3 of them. */
double blocks_spread_of(const double *value, size_t count);

/** Fill noise.spread and noise.control_spread from the cells. */
void blocks_spread(struct blocks *blocks);

/**
 * Add to `sharing` (zeroed at first) what the noise of a run says. What is judged never widens its own threshold: of
 * HEAD only the controls and the hypervisor are heard. For the cells of a class, the host is shared where
 *   - its controls scatter by more than half the quiet threshold;
 *   - the hypervisor took more than 0.1% of the time;
 *   - and, for BASE where the class has no control: its cells scatter by that much, or, without controls of any class,
 *     more than 2% of the samples met a neighbour.
 */
void blocks_add_sharing(const struct blocks_noise *noise, enum blocks_side side, struct blocks_sharing *sharing);

/** Whether the host is shared for cells of any class. */
bool blocks_is_shared(const struct blocks_sharing *sharing);
