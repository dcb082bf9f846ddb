/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "harness/cells/cell/cell.h"
#include "results/statistics/stats.h"

/**
 * GEMVs and GEMMs beside those of plug-ins, the peers, in the same run: of formats of one width, since the bytes of a weight
 * are what a matrix in memory costs, and of one kind (micro/format_kind.h), since scales and tables take instructions; and of one
 * shape, team, protocol and number of tokens.
 *
 * The best of several is the one with the least median of time. It is chosen by the samples that it is then compared by, so
 * that the best of many nearly equal ones is a little better than it is: a look leaves few (harness/plan/peers_look.h).
 */

/** Width class of a format with this many bits a weight: 1 below 1.5, 1.58 below 1.9, else whole bits (4.5 is 4, 1.9 is 2). */
double best_peer_width(double bits);

/** Whether two kernels do the same work: one width class, one kind of weights, and both or neither with activations of 8 bits. */
bool best_peer_compares(const struct kernel *one, const struct kernel *other);

/** Whether two cells are the same product by kernels that compare; both equal shares. */
bool best_peer_is_alike(const struct cell *one, const struct cell *other);

/**
 * Time of `other` over that of `cell`, by pairs: the i-th sample that was kept of visit v of both, visits being of the same rounds. The interval is that of the
 * median of these ratios.
 */
struct summary best_peer_ratio(const struct cell *cell, const struct cell *other);

/** Of the cells like this one that plug-in's kernels have (NULL: those of any), or ours have, the fastest; NULL: none. */
const struct cell *best_peer_fastest(const struct session *session, const struct cells *cells, const struct cell *like,
                                     const struct plugin *of);
const struct cell *best_peer_fastest_of_ours(const struct session *session, const struct cells *cells,
                                             const struct cell *like);

/** Whether a cell has too few samples for a number, or of one that is compared with the fastest of any plug-in too few pairs with it. */
bool best_peer_lacks(const struct session *session, const struct cells *cells, const struct cell *cell);

/**
 * Where any plug-in has such a product: "width", "best_peer", its name, and "x_best_peer", how many times as fast as that
 * this cell is, or null with the reason.
 */
void best_peer_record(json_t *record, const struct session *session, const struct cells *cells,
                      const struct cell *cell);
