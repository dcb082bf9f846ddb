/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV on a team, its weights cold or warm (harness/cells/cell/weights_read.h). The result of each visit is compared with
 * the scalar reference on the pool's own bytes before anything is timed.
 */
#include "harness/cells/gemv/gemv.h"

#include "harness/cells/cell/roof_beside.h"
#include "harness/cells/cell/roof_near.h"
#include "harness/cells/gemv/gemv_model.h"
#include "harness/cells/gemv/gemv_plan.h"
#include "harness/cells/gemv/gemv_record.h"

int gemv_add_prefetched(struct cells *cells, const struct kernel *kernel, const struct shape *shape,
                        const unsigned *sizes, size_t teams)
{
    const struct product_settings settings = {
        .prefetch_given = true, .prefetch_bytes = kernel->prefetch_beside, .our_prefetch = true};
    for (size_t t = 0; kernel->prefetch_beside && t < teams; t++) {
        int error = product_add(cells, kernel, shape, PRODUCT_GEMV, sizes[t], true);
        if (error)
            return error;
        struct cell *cell = &cells->cell[cells->count - 1];
        gemv_cell(cell)->settings = settings;
        product_settings_name(&settings, cell);
    }
    return 0;
}

void gemv_settle(struct cells *cells)
{
    roof_beside_choose_all(cells, &cell_kind_gemv);
    roof_near_set(cells, &cell_kind_gemv);
}

/* ---- in a comparison ---- */

static int offer(struct cells *cells, const struct kernel *kernel, const struct sequence *sequence,
                 const struct cell_options *options, char *why, size_t size)
{
    static const size_t tokens[] = {PRODUCT_GEMV};
    const struct kernel *of = kernel && kernel->gemv && !sequence ? kernel : NULL;
    return product_offer(cells, of, tokens, 1, options, why, size);
}

const struct cell_kind cell_kind_gemv = {
    PRODUCT_KIND_MEMBERS,
    .name = "gemv",
    .plan = gemv_plan,
    .offer = offer,
    .rank = 60,
    .value = gemv_value,
    .cost = gemv_cost,
    .of_use_together = gemv_of_use_together,
    .settle = gemv_settle,
    .record = gemv_record,
    .derived = gemv_omega_record,
};
