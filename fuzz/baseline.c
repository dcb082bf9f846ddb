/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A baseline, compared with itself.
 *
 * json: one object
 */
#include "results/blocks/baseline.h"
#include "fuzz/frame/target.h"
#include "results/comparison/comparison.h"

static void compare(const struct blocks *blocks)
{
    static const struct comparison_request request = {.seed = 1};
    struct comparison comparison;
    if (comparison_make(blocks, blocks, &request, &comparison))
        return;
    for (size_t i = 0; i < comparison.count; i++)
        json_decref(comparison_record(&comparison, &comparison.outcome[i]));
    json_decref(comparison_verdict_record(&comparison, "base", "head"));
    comparison_release(&comparison);
}

FUZZ_TARGET(bytes, length)
{
    struct blocks blocks;
    char why[512] = "";
    if (baseline_read(fuzz_file(bytes, length), &blocks, why, sizeof why)) {
        hold_refusal(why);
        return;
    }
    if (blocks.cells <= 8 && blocks.count <= 64)
        compare(&blocks);
    json_decref(blocks_to_json(&blocks));
    blocks_release(&blocks);
}
