/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/product/product_work.h"

#include <stdio.h>

#include "harness/cells/product/product_cell.h"
#include "harness/cells/product/shared_product.h"

struct product_work product_work_of(const struct cell *cell)
{
    const struct product_cell *own = product_cell(cell);
    return (struct product_work){cell->kernel,  own->m,     own->k,        own->tokens,
                                 cell->threads, cell->cold, own->schedule, own->settings.shares_tokens};
}

struct weights_read product_work_read(const struct product_work *work)
{
    struct schedule schedule = product_schedule_of(work->schedule);
    schedule.shares_tokens = work->shares_tokens;
    return (struct weights_read){shared_largest_share(work, &schedule), work->threads, work->cold};
}

void product_work_name(const struct product_work *work, char *text, size_t size)
{
    char tokens[48] = "";
    if (work->tokens)
        snprintf(tokens, sizeof tokens, "%zu token%s and ", work->tokens, work->tokens == 1 ? "" : "s");
    snprintf(text, size, "%s on %zux%zu with %s%u thread%s", work->kernel->name, work->m, work->k, tokens,
             work->threads, work->threads == 1 ? "" : "s");
}

int product_fits(const struct session *session, const struct product_work *work, char *why, size_t size)
{
    char what[192];
    product_work_name(work, what, sizeof what);
    const struct weights_read read = product_work_read(work);
    return weights_fit(session, &read, shared_working_bytes(work), what, why, size);
}

size_t product_places(const struct session *session, const struct cell *cell)
{
    const struct product_work work = product_work_of(cell);
    const struct weights_read read = product_work_read(&work);
    return cell->cold ? weights_copies(session, &read, 64) : 0;
}
