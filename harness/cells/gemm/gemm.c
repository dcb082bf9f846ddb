/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMM on a team: N tokens times a packed matrix, its weights cold or warm (harness/cells/cell/weights_read.h). The
 * activations are prepared before anything is timed; what that takes is a cell of kind `prepare`. The result of each visit
 * is compared with the scalar reference, on the pool's own bytes, before anything is timed.
 */
#include "harness/cells/cell/roof_beside.h"
#include "harness/cells/gemm/gemm_plan.h"
#include "harness/cells/gemm/gemm_record.h"
#include "harness/cells/product/product_cells.h"

static int offer(struct cells *cells, const struct kernel *kernel, const struct sequence *sequence,
                 const struct cell_options *options, char *why, size_t size)
{
    /* one token, where memory binds, and a number of them where multiplying does */
    static const size_t tokens[] = {1, 64};
    const struct kernel *of = kernel && kernel->gemm.run && !sequence ? kernel : NULL;
    return product_offer(cells, of, tokens, 2, options, why, size);
}

static void settle(struct cells *cells)
{
    roof_beside_choose_all(cells, &cell_kind_gemm);
}

const struct cell_kind cell_kind_gemm = {
    PRODUCT_KIND_MEMBERS, .name = "gemm",    .plan = gemm_plan, .offer = offer,        .rank = 65,
    .value = gemm_value,  .cost = gemm_cost, .settle = settle,  .record = gemm_record, .derived = gemm_model_record,
};
