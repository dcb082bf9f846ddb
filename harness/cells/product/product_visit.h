/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CELLS_PRODUCT_PRODUCT_VISIT_H
#define HARNESS_CELLS_PRODUCT_PRODUCT_VISIT_H

#include "harness/cells/cell/weights_read.h"
#include "harness/cells/product/product_schedule.h"
#include "harness/cells/product/shared_product.h"

/**
 * A visit to a cell that multiplies one packed matrix: its product is shared as the cell's schedule says, compared with the
 * scalar reference on the pool's own bytes, and only then timed. Every visit is verified anew, which takes some
 * milliseconds: its activations, the bytes in the pool and the rows that are looked at are others each time.
 *
 * What it asks of the kind of cells:
 */
struct product_cells {
    size_t product_bytes; /* of its struct */

    /** Check that there is memory for it, and prepare it; the cell's repeats if it has none. 0 or negative errno, why says why. */
    int (*prepare)(struct session *session, struct cell *cell, void *product);
    void (*release)(void *product); /* one that is zeroed, too */

    struct shared_product (*shared)(void *product);
    struct product_schedule *(*schedule)(const struct cell *cell);  /* NULL: equal shares */
    struct weights_read (*read)(const struct cell *cell);           /* by the weights that the schedule has */
    void (*what)(const struct cell *cell, char *text, size_t size); /* "f32.dot.avx2 on 64x64 with 2 threads" */

    /** Keep what the visit found out: copies in the pool, memory that the product took. */
    void (*keep)(struct cell *cell, const struct weights_visit *weights, const void *product);
};

/**
 * Take so many samples of a cell and append them: pool, team and shares, the weights of these measured unless they are
 * given, one product that is verified, then the samples. Pieces of a tail are counted for the schedule.
 * @return 0; -EILSEQ: a result is wrong; -ENOMEM, -EINVAL, -ENODATA; with one line in the cell's why
 */
int product_visit(struct session *session, struct cell *cell, unsigned count, const struct product_cells *kind);

/** The pool of a visit, filled where our own code can fill it, so that it outlasts a visit of another process. As product_visit. */
int product_ready(struct session *session, struct cell *cell, size_t k, const struct product_cells *kind);

/**
 * The same without samples, of the only one of `cells`, which are released. Nothing is timed.
 * @param error  of adding it, which is returned
 * @param why    one line
 */
int product_try(struct session *session, struct cells *cells, int error, const struct product_cells *kind, char *why,
                size_t size);

#endif
