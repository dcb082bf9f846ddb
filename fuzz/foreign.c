/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What llama-bench and google/benchmark write, as blocks.
 *
 * json: one value, or one a line
 */
#include <errno.h>

#include "fuzz/frame/target.h"
#include "results/blocks/foreign.h"

FUZZ_TARGET(bytes, length)
{
    struct blocks blocks;
    char why[512] = "";
    int error = foreign_read(fuzz_file(bytes, length), &blocks, why, sizeof why);
    if (error == -ENOTSUP)
        return;
    if (error) {
        hold_refusal(why);
        return;
    }
    hold(blocks.cells && blocks.source[0]);
    for (size_t i = 0; i < blocks.cells; i++) {
        hold(blocks_find(&blocks, blocks.cell[i].name) && blocks.cell[i].count <= blocks.count);
        for (size_t j = 0; j < blocks.cell[i].count; j++)
            hold(blocks.cell[i].value[j] > 0);
    }
    json_decref(blocks_to_json(&blocks));
    blocks_release(&blocks);
}
