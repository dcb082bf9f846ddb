/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CELLS_PRODUCT_PRODUCT_VISIT_H
#define HARNESS_CELLS_PRODUCT_PRODUCT_VISIT_H

#include "harness/cells/product/product_work.h"

/**
 * A visit to a cell that multiplies one packed matrix: its product is shared as the cell's schedule says, compared with the
 * scalar reference on the pool's own bytes, and only then timed. Every visit is verified anew, which takes some
 * milliseconds: its activations, the bytes in the pool and the rows that are looked at are others each time.
 *
 * Take this many samples of a cell and append them: pool, team and shares, the weights of these measured unless they are
 * given, one product that is verified, then the samples. Pieces of a tail are counted for the schedule.
 * @return 0; -EILSEQ: a result is wrong; -ENOMEM, -EINVAL, -ENODATA; with one line in the cell's why
 */
int product_visit(struct session *session, struct cell *cell, unsigned count);

/** The pool of a visit, filled where our own code can fill it, so that it outlasts a visit of another process. As product_visit. */
int product_ready(struct session *session, struct cell *cell);

/**
 * One product with its team, its result compared with the scalar reference, nothing timed.
 * @return as product_visit, with one line in why
 */
int product_try(struct session *session, const struct product_work *work, char *why, size_t size);

#endif
