/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>

#include "reports/select/kernels/cells.h"
#include "reports/select/kernels/gemm_cells.h"
#include "reports/select/kernels/width.h"
#include "reports/select/run/reported.h"
#include "results/statistics/stats.h"

/**
 * Which kernel is best. Every figure, table and sentence asks here, so that all of them show one number for one cell.
 *
 * The best is the fastest valid row by the half of its samples that chooses (reports/select/run/reported.h). Of cold GEMVs it is, of
 * those that are like the fastest kernel of their width, shape and team, the one with the highest knee: memory makes kernels
 * alike, and what tells them apart is how much faster the memory could be. Whatever is asked for, the order is the same: the best
 * of all kernels is also the best of its format, of its origin and of its instruction set.
 */

/** Share of the speed of the fastest from which a kernel is like it; and where samples cannot tell the two apart, their intervals overlapping. */
#define BEST_ALIKE        0.98
#define BEST_ALIKE_UNTOLD 0.95

/**
 * The best of the rows of a type.
 * @param is     whether a row is of what `of` says; NULL: all are
 * @param query  NULL: any
 */
struct best best_among(const struct view *view, enum view_type type, bool (*is)(const void *of, const json_t *row),
                       const void *of, const struct gemm_query *query);

/** The best valid GEMV, and GEMM. */
struct best best_gemv(const struct view *view, const struct cell_query *query);
struct best best_gemm(const struct view *view, const struct gemm_query *query);

enum best_origin { BEST_OF_ALL, BEST_OF_OURS, BEST_OF_PUBLISHED };

/** Cold GEMVs of one width. */
struct best_query {
    const struct width *width;
    enum best_origin origin;
    const char *kind; /* of weights, as view_kind() has it; NULL or "": any */
    double m, k;
    unsigned threads;
};

bool best_is_asked(const struct best_query *query, const json_t *row);
struct best best_of_width(const struct view *view, const struct best_query *query);

/** The one that attains the highest share of the roof, chosen like the fastest: a width has formats of several bits. */
struct best best_share_of_width(const struct view *view, const struct best_query *query);

/** Share of what memory gives the widest team from which a team is said to fill it. */
#define BEST_FILLS 0.85

/** Whether kernels fill memory. */
struct best_fill {
    enum {
        FILL_UNKNOWN, /* not measured with the widest team, or with one team alone */
        FILL_BY,      /* threads: the fewest that read BEST_FILLS of the roof of the widest team */
        FILL_NOT,     /* not even the widest team does: threads */
        FILL_ONE_CORE, /* only the widest team does, and memory gives each of its cores what it gives one alone: more would read more */
    } state;
    unsigned threads;
};

/** Of the best kernels of a width on a shape; the team of the query is ignored. */
struct best_fill best_fill_of(const struct view *view, const struct best_query *query);

/** In words of a table: "2", "not with 2", "one core's reach is the limit", "–". */
const char *best_fill_words(const struct best_fill *fill, char *text, size_t size);

/** A quantity of a row with its 95% interval, NaN where it has none. */
struct bounded best_bounded(const json_t *row, const char *field);

/** How many times as fast as `than` a row is: their times, with the interval where both have one; NaN without times. */
struct bounded best_ratio(const json_t *row, const json_t *than);

/** B / gamma of a gamma record with the interval from that of gamma, without an upper end where that reaches 0; NaN where it rests on fewer than 6 samples or is not there. */
struct bounded best_knee(const json_t *gamma);
