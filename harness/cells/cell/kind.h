/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>

#include "harness/cells/cell/cell.h"
#include "harness/cells/cell/execution.h"
#include "harness/measure/session_pool.h"
#include "micro/shape.h"
#include "results/gate/compare.h"

/** What a characterization measures, of which each kind takes what it needs for its cells. */
struct planning {
    struct session *session;
    const unsigned *sizes; /* of the teams, ascending */
    size_t teams;
    const struct shape *shapes;                       /* each M x K once */
    char (*models)[CELL_NAMES], (*roles)[CELL_NAMES]; /* of each shape, commas between */
    size_t shape_count;
};

/**
 * What a cell is worth to a user who characterizes a machine; a budget takes them in this order. What a number is held against
 * comes before it.
 */
enum cell_value {
    CELL_ROOFS,  /* clock, barrier, read bandwidth of memory: one thread, the widest team */
    CELL_CACHES, /* read bandwidth of the caches: one thread, the widest team; idle latencies; tiles */
    CELL_GAMMA,  /* gamma of every sequence in its best ISA over few numbers of accumulators, the main ones exactly */
    CELL_CALIBRATION, /* each format's best kernel and the papers', 4096x4096 from memory, one thread */
    CELL_REFERENCE,   /* the same with the widest team, and their operands */
    CELL_TEAMS,       /* roofs of the teams between */
    CELL_MODELS,      /* those kernels on the layers of the model that tokens per second are of, the widest team */
    CELL_STREAMS,     /* sequences of kernels as streams from every level; latency under load; what layout alone does */
    CELL_WARM,        /* 4096x4096 from a cache */
    CELL_KERNELS, /* the other kernels on 4096x4096 from memory and gamma of theirs, every quantizer, the kernels with the teams between */
    CELL_GEMM,    /* each format's best GEMM kernel over few numbers of tokens, 4096x4096 from memory, one thread */
    CELL_TERMS,   /* what the terms of main kernels on 4096x4096 and of a read stream cost, one thread */
    CELL_PAPERS,  /* the shapes that papers time, with their formats, from memory; tokens of their models */
    CELL_BREADTH, /* everything else */
    CELL_VALUES
};

/** A word for it, as in `kneepoint list plan`. */
const char *cell_value_name(enum cell_value value);

/** What it is measured for, in some words. */
const char *cell_value_purpose(enum cell_value value);

/** What measuring a cell takes, estimated from what is known before anything is measured. Seconds. */
struct cell_cost {
    double once_s;   /* the first visit, over any other */
    double visit_s;  /* each visit, besides its samples: team, filling of the pool, comparison with the reference */
    double sample_s; /* a sample or pair, with its clocks and its read of the roof, kept or rejected */
    double bytes;    /* of its summary in a run; 0: some hundred */
};

/** What the user asks of the cells of a kernel or sequence. */
struct cell_options {
    const struct shape *shapes;
    size_t shape_count;
    bool cold, warm;
    unsigned teams[2];
    size_t team_count;
    unsigned accumulators; /* of a sequence; 0: as many as it has */
};

/**
 * A kind of measurement is a file harness/cells/<name>/<name>.c that ends in `const struct cell_kind cell_kind_<name>`; make
 * registers it. What others ask of its cells (gamma_best, beta_roof, sync_time) is in <name>.h beside it; <name>_<part>.c is part of a
 * kind whose one file would be too long. Only the commands of a kind, and code in harness/cells, ask whether a cell is of it. A cell has what
 * all kinds have in struct cell and the rest in `own`. A kind with an `offer` is compared live.
 *
 * Only the members without "or NULL" are needed.
 */
struct cell_kind {
    const char *name;                   /* also the type of its records, and how the names of its cells begin */
    size_t own;                         /* bytes of struct cell's `own` */
    bool halves;                        /* samples come in twos: of the work, then of twice the work */
    void (*release)(struct cell *cell); /* free what `own` points to; or NULL: nothing */

    /* ---- which cells ---- */

    /** Add all that a characterization of this machine measures; 0 or -ENOMEM; or NULL: nothing. */
    int (*plan)(struct cells *cells, const struct planning *planning);

    /**
     * Add what a kernel or sequence (the other is NULL) is compared by, of what the user asks for; or NULL: no cell of
     * this kind is compared.
     * @return 0; -EINVAL it does not take a shape, -ENOMEM; with one line in why
     */
    int (*offer)(struct cells *cells, const struct kernel *kernel, const struct sequence *sequence,
                 const struct cell_options *options, char *why, size_t size);

    /** One such cell is all that is compared of its kernel or sequence: what follows that in its name may differ. */
    bool one_a_subject;

    /** Its samples alternate between things held against each other, or are of the machine: no comparison of runs takes it. */
    bool never_compared;

    /** What the noise of such a cell is judged by in a comparison; of kinds that have `offer`. */
    enum compare_class (*class_of)(const struct session *session, const struct cell *cell);

    /* ---- taking samples ---- */

    /** Take this many samples, pairs where there are any, and append them; as cell_visit. */
    int (*visit)(struct session *session, struct cell *cell, unsigned count);

    /**
     * A visit may be carried out by another process (visit_apart.h), which has all that this one has, and changes nothing that lasts but
     * what every visit does, `own`, and what these say. `owned`: the memory of this number that `own` points to, NULL after the last; or
     * NULL: none. `made`: where `own` has the pointer to memory that a visit allocates when it needs it, and its bytes now; or NULL.
     */
    bool apart;
    void *(*owned)(const struct cell *cell, size_t number, size_t *bytes);
    void **(*made)(const struct cell *cell, size_t *bytes);

    /** Kernels that a visit calls, the cell's among them or not, by number, NULL after the last; or NULL: the cell's alone. */
    const struct kernel *(*calls)(const struct cell *cell, size_t number);

    /** What a visit needs of the session that outlasts it, its pool, before another process carries it out. 0 or negative errno, as visit; or NULL. */
    int (*ready)(struct session *session, struct cell *cell);

    /** Samples with which a cell goes once round the pool, 0 for one that does not; or NULL: none ops. */
    size_t (*lap)(const struct session *session, const struct cell *cell);

    /** What a visit needs written to the pool, which takes longer than reading it; or NULL: any bytes will do. */
    struct session_pool_filling (*filling)(const struct cell *cell);

    /**
     * Samples, or pairs, that what the cell says rests on; SIZE_MAX where nothing is said; or NULL: of summary_time.
     */
    size_t (*kept)(const struct cell *cell);

    /* ---- carrying out many ---- */

    /** Kinds come one after the other, the least first: what is held against another comes after that. */
    unsigned rank;

    /** What a cell of a characterization is worth; or NULL: CELL_BREADTH. */
    enum cell_value (*value)(const struct planning *planning, const struct cell *cell);

    /** What it takes; or NULL: some milliseconds. */
    struct cell_cost (*cost)(const struct session *session, const struct cell *cell);

    /** Whether two neighbouring cells are planned as one, both or neither; or NULL: each by itself. */
    bool (*inseparable)(const struct cell *one, const struct cell *next);

    /** Whether the cells of a kernel with the same value say something together, so that a budget has all of one kernel first; or NULL: none ops. */
    bool (*of_use_together)(const struct cell *cell);

    /** Whether a cell is only looked at, to choose another that says something; or NULL: none is. */
    bool (*only_chooses)(const struct cell *cell);

    /** Whether two cells of the kind are carried out together; or NULL: all are. */
    bool (*together)(const struct cell *one, const struct cell *other);

    /**
     * Carry out those of [first, end), which are together, that do not wait; as cells_visit; or NULL: by rounds, as
     * those that are carried out.
     */
    int (*carry_out)(struct session *session, struct cells *cells, size_t first, size_t end,
                     const struct execution *execution, size_t *failed);

    /**
     * In a characterization, after cells of the kind were visited: more samples of those that matter most, be they
     * planned or not; or NULL.
     */
    int (*refine)(struct session *session, struct cells *cells, size_t first, size_t end,
                  const struct execution *execution, size_t *failed);

    /** Decide what all samples together decide, before anything is summarized; or NULL: nothing. */
    void (*settle)(struct cells *cells);

    /* ---- what they say ---- */

    /** What a cell with samples says; NULL without memory. New reference. */
    json_t *(*record)(const struct session *session, const struct cells *cells, const struct cell *cell);

    /** What else follows from a cell with samples, as a record of another type; or NULL: nothing. Returns NULL for none. */
    json_t *(*derived)(const struct session *session, const struct cells *cells, const struct cell *cell);

    /** What was chosen at the first visit goes into the record of type "cell", and comes back from it; or NULL. */
    void (*describe)(const struct cell *cell, json_t *record);
    void (*restore)(struct cell *cell, const json_t *record);

    /**
     * What is known of each visit, and of each of its samples from `first` on, beside their times goes into the record that has
     * them, and comes back from it when they have; or NULL: nothing. Restoring returns 0, or -EINVAL with one line in why.
     */
    void (*describe_samples)(const struct cell *cell, size_t first, json_t *record);
    int (*restore_samples)(struct cell *cell, size_t first, const json_t *record, char *why, size_t size);

    /** The most that a visit chooses of these, and at least 1; 0: it chooses none. What a record may say. */
    uint64_t iterations_most;
    unsigned repeats_most;

    /** Whether what was restored could have been chosen here; or NULL: all can. */
    bool (*plausible)(const struct cell *cell);

    /** Whether it is unknown what samples of a cell are of until it is restored; or NULL: never. */
    bool (*lacks_choice)(const struct cell *cell);
};

/** All kinds in name order, NULL-terminated. */
const struct cell_kind *const *cell_kind_all(void);

/** Place of a kind among them, from 0. */
unsigned cell_kind_number(const struct cell_kind *kind);

/** The kind that the name of a cell begins with; NULL: none. */
const struct cell_kind *cell_kind_of_name(const char *cell_name);

/** The kind that comes next in a characterization; the first after NULL, NULL after the last. */
const struct cell_kind *cell_kind_after(const struct cell_kind *former);

/** What measuring a cell takes, as its kind says. */
struct cell_cost cell_cost(const struct session *session, const struct cell *cell);

/** Samples, or pairs, of a cell that were kept, as its kind counts them. */
size_t cell_kept(const struct cell *cell);

/** Let each kind settle its cells. */
void cell_kinds_settle(struct cells *cells);

/** One more cell of a kind, of one thread; NULL without memory. Pointers to former cells may move, `own` does not. */
struct cell *cells_add(struct cells *cells, const struct cell_kind *kind);

/**
 * Take `count` more samples (or pairs), as the kind of the cell ops. On failure the cell's `why` says what happened and
 * the cell keeps what it had.
 * @return 0, -ENOMEM, -EILSEQ for a wrong result
 */
int cell_visit(struct session *session, struct cell *cell, unsigned count);
