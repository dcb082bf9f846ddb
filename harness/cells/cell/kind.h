/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CELLS_CELL_KIND_H
#define HARNESS_CELLS_CELL_KIND_H

#include <jansson.h>

#include "harness/cells/cell/cell.h"
#include "harness/measure/session_pool.h"
#include "results/compare.h"

/**
 * A kind of measurement is one file harness/cells/<name>.c that ends in `const struct cell_kind cell_kind_<name>`; make
 * registers it. What others need to know of its cells is in harness/cells/<name>.h. A file with an underscore in its
 * name is part of a kind whose one file would be too long.
 *
 * Only the members without "or NULL" are needed.
 */
struct cell_kind {
    const char *name; /* also the type of its records, and how the names of its cells begin */
    size_t own;       /* bytes of struct cell's `own` */

    bool halves; /* samples come in twos: of the work, then of twice the work */

    /** Take so many samples, pairs where there are any, and append them; as cell_visit. */
    int (*visit)(struct session *session, struct cell *cell, unsigned count);

    /** What a cell with samples says; NULL without memory. New reference. */
    json_t *(*record)(const struct session *session, const struct cells *cells, const struct cell *cell);

    /** What the noise of such a cell is judged by in a comparison; or NULL: it is not compared. */
    enum compare_class (*class)(const struct session *session, const struct cell *cell);

    /** Samples with which a cell goes once round the pool, 0 for one that does not; or NULL: none does. */
    size_t (*lap)(const struct session *session, const struct cell *cell);

    /** What a visit needs written to the pool, which takes longer than reading it; or NULL: any bytes will do. */
    struct session_pool_filling (*filling)(const struct cell *cell);

    /** Whether so many samples, or pairs, were kept; or NULL: of those of summary_time. */
    bool (*has_kept)(const struct cell *cell, size_t wanted);

    /** Whether two cells of the kind are carried out together; or NULL: all are. */
    bool (*together)(const struct cell *one, const struct cell *other);

    /** What was chosen at the first visit goes into the record of type "cell", and comes back from it; or NULL. */
    void (*describe)(const struct cell *cell, json_t *record);
    void (*restore)(struct cell *cell, const json_t *record);

    /** Whether nobody knows what samples of a cell are of, before it was restored; or NULL: never. */
    bool (*lacks_choice)(const struct cell *cell);
};

/** All kinds in name order, NULL-terminated. */
const struct cell_kind *const *cell_kind_all(void);

/** NULL: there is no such kind. */
const struct cell_kind *cell_kind_find(const char *name);

#endif
