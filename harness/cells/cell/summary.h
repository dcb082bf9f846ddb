/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CELLS_CELL_SUMMARY_H
#define HARNESS_CELLS_CELL_SUMMARY_H

#include <jansson.h>
#include <stddef.h>

#include "harness/cells/cell/cell.h"
#include "results/stats.h"

/**
 * From the samples of cells to records (field names are in DESIGN and the manual page). What one cell's record says
 * about the model (gamma used, beta beside it, synchronisation) comes from the other cells of the same run.
 */
struct cells {
    struct cell *cell;
    size_t count;
};

/** A summarized quantity with the grade that its samples allow. */
struct graded {
    struct summary summary;
    const char *grade; /* "pmu", "chain", or "wall" when too few samples have a better one */
};

/** Seconds of one repeat of the cell's work. */
struct graded summary_time(const struct cell *cell);
/** Core clock during the cell, Hz. */
struct graded summary_clock(const struct cell *cell);
/** Output vectors by which the two samples of a gamma cell's pair differ, per iteration. */
double summary_vectors(const struct cell *cell);
/** gamma of a gamma cell, cycles per output vector. */
struct graded summary_gamma(const struct cell *cell);
/** Bytes per second of the team and bytes per core cycle per core of a beta cell. */
struct graded summary_bandwidth(const struct cell *cell);
struct graded summary_beta(const struct cell *cell);
/**
 * Of the read streams that took turns as the roof beside the cold GEMV cells of this team size, the one with the
 * highest median over all of them becomes the roof of each (cell->roof_stream). Call it before the quantities below.
 */
void summary_choose_roofs(struct cells *cells, unsigned threads);

/** Attained bandwidth over the roof measured just before each sample, of a cold gemv cell; pairs with its roof_stream.
 */
struct graded summary_roof_fraction(const struct cell *cell);
/** The roof beside a cold gemv cell, bytes per second of the team. */
struct graded summary_paired_roof(const struct cell *cell);

/**
 * Seconds from activations in f32 to the operand of a gemv cell's kernel, on one core: of the prepare cell that
 * measured it, 0 for a kernel that takes them as they are, NaN if it was not measured.
 */
double summary_prepare_s(const struct cells *cells, const struct cell *gemv);

/** Bytes of the packed matrix of a gemv cell, padding included. */
double summary_packed_bytes(const struct cell *cell);
/** Attained by a gemv cell: bytes per second of the team, bytes per core cycle per core, operations per core cycle per
 * core. */
struct graded summary_gemv_bandwidth(const struct cell *cell);
struct graded summary_gemv_beta(const struct cell *cell);
struct graded summary_operations(const struct cell *cell);
/** Instructions per core cycle, of the samples in which hardware counted them. */
struct graded summary_instructions_per_cycle(const struct cell *cell);
/** A counted quantity of one repeat, of the samples that have it. */
struct graded summary_count(const struct cell *cell, enum counter_quantity quantity);
/** Samples kept although interrupted, since they last longer than a timer tick can be avoided. */
size_t summary_kept_though_interrupted(const struct cell *cell);
/** session_stream_id of the stream that is the roof beside this cell; 0: all that were read count. */
unsigned summary_roof_stream(const struct cell *cell);

/** Record of a cell; NULL without memory or for a cell without samples. New reference. */
json_t *summary_record(const struct session *session, const struct cells *cells, const struct cell *cell);

/** Best usable gamma of a sequence by name ("int2_planes.prefix.avx512_vnni"), NaN if it was not measured;
 * *accumulators is set. */
double summary_best_gamma(const struct cells *cells, const char *name, unsigned *accumulators);

/** The same on the kind of core where a member of the widest team sits. */
double summary_best_gamma_on(const struct cells *cells, const char *name, unsigned member, unsigned *accumulators);

/** Core clock where a member sits, Hz, while it ran sequences; NaN if it ran none. */
double summary_gamma_clock(const struct cells *cells, unsigned member);

/** Fastest stream cell of a level and team size, NULL if there is none. */
const struct cell *summary_roof(const struct cells *cells, const char *level, unsigned threads);

#endif
