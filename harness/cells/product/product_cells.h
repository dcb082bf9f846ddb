/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/cells/product/product_cell.h"
#include "harness/cells/product/product_schedule.h"
#include "harness/cells/product/product_work.h"
#include "micro/shape.h"

/**
 * GEMV and GEMM cells: which there are, and what both kinds fill alike. Where a number of tokens is asked for, PRODUCT_GEMV is
 * a GEMV. What adds returns 0 or -ENOMEM.
 */
int product_add(struct cells *cells, const struct kernel *kernel, const struct shape *shape, size_t tokens,
                unsigned threads, bool cold);

/** The same, shared as asked for; a plain one is what product_add adds. */
int product_add_scheduled(struct cells *cells, const struct kernel *kernel, const struct shape *shape, size_t tokens,
                          unsigned threads, bool cold, const struct product_schedule_request *request);

/** The same by one member of the widest team alone, at a speed in (0, 1] of its own; nothing if there is that cell. */
int product_add_alone(struct cells *cells, const struct kernel *kernel, const struct shape *shape, size_t tokens,
                      unsigned member, double speed, bool cold);

/** Of a kernel on a shape with each of the teams: cold, warm or both. */
int product_add_teams(struct cells *cells, const struct kernel *kernel, const struct shape *shape, size_t tokens,
                      const unsigned *sizes, size_t teams, bool cold, bool warm);

/** The cell of one member of the widest team alone, at a speed of its own; NULL: none. */
const struct cell *product_find_alone(const struct cells *cells, const struct kernel *kernel, const struct shape *shape,
                                      size_t tokens, unsigned member, double speed, bool cold);

/** The cell that says what the members of a cell's team attain while all of them work; NULL: none. */
const struct cell *product_find_contended(const struct cells *cells, const struct cell *cell);

/** cell_kind.offer of a kernel that has the product, or NULL, with each of some numbers of tokens. */
int product_offer(struct cells *cells, const struct kernel *kernel, const size_t *tokens, size_t count,
                  const struct cell_options *options, char *why, size_t size);

/** Seconds in which a team reads the packed matrix of a cell, where the machine is not known yet. */
double product_cost_reading(const struct cell *cell);

/**
 * What a GEMV or GEMM cell takes (cell_kind.cost), where a call takes this many seconds: to begin a visit, the clocks, the reads of
 * the roof, which read as much within limits, filling the pool; not what multiplying for the reference takes.
 */
struct cell_cost product_cost(const struct session *session, const struct cell *cell, double call_s);

/* ---- members of both kinds ---- */

void product_release(struct cell *cell);
void *product_owned(const struct cell *cell, size_t number, size_t *bytes);
struct session_pool_filling product_filling(const struct cell *cell);
size_t product_kept(const struct cell *cell);
enum compare_class product_class_of(const struct session *session, const struct cell *cell);

/** Whether the session says how far ahead the kernel of a cell reads: of a plain GEMV of ours that was given no distance. */
bool product_is_tuned_here(const struct session *session, const struct cell *cell);

/**
 * Whether it is found out with such a cell, by PRODUCT_DISTANCE_SAMPLES samples of each of product_distances() before the first that is kept: with every
 * one, or with a cold one of the reference shape, which comes before other shapes (enum session_tunes).
 */
enum { PRODUCT_DISTANCE_SAMPLES = 5 };
bool product_says_distance(const struct session *session, const struct cell *cell);

/** What the cells of a run that goes on have found. 0 or -ENOMEM */
int product_take_distances(struct session *session, const struct cells *cells);

void product_describe(const struct cell *cell, json_t *record);
void product_restore(struct cell *cell, const json_t *record);
bool product_lacks_choice(const struct cell *cell);

#define PRODUCT_KIND_MEMBERS                                                                                           \
    .own = sizeof(struct product_cell), .release = product_release, .class_of = product_class_of,                      \
    .visit = product_visit, .apart = true, .owned = product_owned, .ready = product_ready, .lap = product_places,      \
    .filling = product_filling, .kept = product_kept, .describe = product_describe, .restore = product_restore,        \
    .lacks_choice = product_lacks_choice, .repeats_most = PRODUCT_REPEATS_MOST
