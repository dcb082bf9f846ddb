/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A table of `kneepoint tune`, matched and written again.
 *
 * json: one object
 */
#include <stdio.h>

#include "fuzz/frame/target.h"
#include "results/tuned/tuning_match.h"

static void use(struct tuning_table *table)
{
    struct tuning_table twice = {0};
    hold(table->count == 0 || table->cell);
    for (size_t i = 0; i < table->count && i < 16; i++) {
        struct tuning_query query = {.problem = &table->cell[i].problem, .leave_out = i % 2};
        const struct tuning_cell *found = tuning_match(table, &query);
        hold(!found || (found >= table->cell && found < table->cell + table->count));
        json_decref(tuning_cell_json(&table->cell[i]));
    }
    if (table->count <= 16)
        json_decref(tuning_loss_json(table));
    hold(tuning_merge(&twice, table) == 0 && twice.count <= table->count);
    tuning_release(&twice);
}

FUZZ_TARGET(bytes, length)
{
    struct tuning_table table;
    char why[512] = "";
    if (tuning_read(fuzz_file(bytes, length), &table, why, sizeof why)) {
        hold_refusal(why);
        return;
    }
    use(&table);
    tuning_release(&table);
}
