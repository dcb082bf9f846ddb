/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "platforms/described/described.h"
#include "results/records/run.h"

/**
 * A run as figures and tables read it: summary records by type, the last of each identity (a resumed run writes a
 * summary again), samples only counted. Nothing here measures or prints.
 *
 * Records come from a file: a field may be absent or of the wrong type. Readers return NaN, "" or false then.
 *
 * Errors: 0 or negative errno.
 */

enum view_type {
    VIEW_CLOCK,
    VIEW_BETA,
    VIEW_GAMMA,
    VIEW_SYNC,
    VIEW_PREPARE,
    VIEW_GEMV,
    VIEW_GEMM,
    VIEW_KNEE,
    VIEW_LATENCY,
    VIEW_TILES,
    VIEW_DEVICE_ROOF,
    VIEW_DEVICE_GAMMA,
    VIEW_DEVICE_GEMV,
    VIEW_DEVICE_GEMM,
    VIEW_POOL,
    VIEW_TERM,
    VIEW_OMEGA,
    VIEW_DECODE,
    VIEW_PREFILL,
    VIEW_REPACK,
    VIEW_MIXED,
    VIEW_ENGINE,
    VIEW_CACHED,     /* decode records whose keys and values are not in bf16, which VIEW_DECODE has not */
    VIEW_BATCH,      /* decode records of several users at once, which VIEW_DECODE has not */
    VIEW_PREFETCHED, /* gemv records of renderings with a prefetch that their originals lack, which VIEW_GEMV has not */
    VIEW_TYPES
};

struct view_rows {
    const json_t **rows;
    size_t count;
    json_t **reported; /* each as reports/select/run/reported.h reports it where it was chosen; NULL where it cannot be */
    bool has_halves;   /* any of them */
};

struct view {
    const char *path;            /* of the run folder, as given */
    char name[256];              /* its last part */
    const json_t *meta;          /* object */
    const json_t *machine, *end; /* last such record, NULL if there is none */
    struct view_rows of[VIEW_TYPES];
    size_t samples, samples_rejected;
    json_t *rejected; /* cause -> number of samples, counted from the samples; owned */
    const struct run_records *records;
    const struct described_platform *platforms; /* machines shown next to the run; the caller's, none after view_open */
    size_t platform_count;
    const struct view
        *runs; /* shown in one figure, this one among them; the caller's, none after view_open: this one alone */
    size_t run_count;
};

/** Index the records of a run; the run must outlive the view. @return 0 or -ENOMEM, then nothing needs freeing. */
int view_open(const char *path, const struct run_records *records, struct view *view);
void view_close(struct view *view);

/** Whether there are records at all; a figure of described machines is drawn without a run too. */
bool view_has_run(const struct view *view);

/** "beta"… as in the records, and the command that measures it: "kneepoint beta"… */
const char *view_type_name(enum view_type type);
const char *view_type_command(enum view_type type);

/** A field of a record: NaN, "" or false where it is absent or of another type. */
double view_number(const json_t *record, const char *field);
/** Median of a quantity; a plain number counts as its own median. NaN if absent. */
double view_median(const json_t *record, const char *field);
const char *view_text(const json_t *record, const char *field);
bool view_flag(const json_t *record, const char *field);

/** Name of the machine: the CPU of the machine record, else of meta, else "unknown CPU". */
const char *view_machine_name(const struct view *view);
/** Its microarchitecture as its features allow it, "" if unknown. */
const char *view_microarchitecture(const struct view *view);

/** Why that is not what its model states; "" if it is. */
const char *view_contradiction(const struct view *view);
/** What emulated that machine, so that no number of the run is a machine's speed; "" if nothing did. */
const char *view_emulator(const struct view *view);
/** Name of the run: the last part of its path. */
const char *view_run_name(const struct view *view);

/**
 * How much of what could be measured the run has: "1,570 of 22,121 cells, all that 100 s hold", or what ended it.
 * @return text
 */
const char *view_run_state(const struct view *view, char *text, size_t size);

/**
 * Samples that were taken, as the end of the run counts them, else as its samples do; 0: it has summaries alone.
 * @param rejected  receives cause -> number of samples, borrowed
 */
double view_samples_taken(const struct view *view, const json_t **rejected);

/** How many of them were rejected. */
double view_samples_lost(const json_t *rejected);

/** A whole number with commas between thousands. @return text */
const char *view_count(double count, char *text, size_t size);

/** "" or "s". */
const char *plural(unsigned count);

/**
 * Teams measured in memory streams or cold GEMV, ascending. @return how many there are (at most capacity are written).
 */
size_t view_teams(const struct view *view, unsigned *threads, size_t capacity);

/** The widest of them; 0: none. */
unsigned view_widest_team(const struct view *view);

/** "L1", "L2", "L3", "memory": nearest first. */
enum { VIEW_LEVELS = 4, VIEW_MEMORY = VIEW_LEVELS - 1 };
extern const char *const view_levels[VIEW_LEVELS];

/** The roof of a level for a team: the beta record marked so, else the fastest stream; NULL if none was measured. */
const json_t *view_roof(const struct view *view, const char *level, unsigned threads);

/** The latency record of a level while no other core reads; NULL if none has enough samples. */
const json_t *view_idle_latency(const struct view *view, const char *level);

/** Core clock in Hz of an otherwise idle machine: median over the CPUs' clock records, else from the memory roof; NaN
 * if neither is there. */
double view_clock_hz(const struct view *view);
/**
 * Core clock in Hz while a team computes: median over its GEMV cells of bytes per second over bytes per cycle; without
 * them view_clock_hz. All cores busy with wide vectors run slower than one core alone.
 */
double view_busy_clock_hz(const struct view *view, unsigned threads);

/** Packed bits per weight of a gamma or gemv record, padding and scales included; NaN if unknown. */
double view_bits(const json_t *record);
/** Bits per weight that the format is named for (field format_bits), else view_bits. */
double view_format_bits(const json_t *record);
/** Whether a gamma record is of an experiment on instructions (formats c2, elut), whose register is no vector of 32
 * weights: it has no knee and belongs to no width. */
bool view_is_experiment(const json_t *gamma);
/**
 * Whether a gamma or gemv record is of a low-bit sequence that comes from a paper, by its origin (records without one:
 * by the name `envelope`). Weights of 8 bits and more are never a paper's: they need no up-convert worth comparing.
 */
bool view_is_paper(const json_t *record);
/** The paper a record's sequence comes from: "envelope"; "" for ours. */
const char *view_origin(const json_t *record);
/**
 * Same width of weights: of the format where the records name it. Else a few percent of padding or scales do not tell
 * them apart: a sequence has 2 bits where the matrix it works on may have 2.03.
 */
bool view_same_width(const json_t *a, const json_t *b);
/** "scaled integers": the kind of a format's weights (micro/format_kind.h), "" in runs of before. */
const char *view_kind(const json_t *record);
/** Whether weights are of this kind; also where the record does not say, or the kind is "". */
bool view_is_kind(const json_t *record, const char *kind);
/** Same width of weights, and both the paper's or both not. */
bool view_same_family(const json_t *a, const json_t *b);
/** Whether a gemv record is of a wrong result: not exact, nor within the bound of a kernel that rounds. */
bool view_is_wrong(const json_t *gemv);
/** Whether a gemv record is of the cold protocol: weights from memory. */
bool view_is_cold(const json_t *gemv);

/**
 * Whether a gamma record can be the best of its family: usable, with a number, of a format that has kernels (any where
 * the records do not name them), and no experiment. Bit-serial products of narrow activations do not compete with
 * products of int8 activations.
 */
bool view_is_candidate(const struct view *view, const json_t *gamma);
