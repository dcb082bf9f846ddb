/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* For tests only: runs on paper, reduced to blocks. Include cmocka.h before it. */

#include "results/blocks/blocks.h"
#include "results/records/testing.h"
#include "unit_test.h"

static inline struct blocks reduced(const struct run_records *run)
{
    struct blocks blocks;
    assert_int_equal(blocks_of_run(run, &blocks), 0);
    return blocks;
}

static inline const struct blocks_cell *found(const struct blocks *blocks, const char *name)
{
    const struct blocks_cell *cell = blocks_find(blocks, name);
    if (!cell)
        fail_msg("no cell %s", name);
    return cell;
}

/** Cold cell: block b lasts b microseconds, 3 samples each; before each a roof sample of half. */
static inline void add_cold(struct run_records *run, const char *name, unsigned blocks)
{
    made_cell(run, name, 0, 1);
    for (unsigned b = 1; b <= blocks; b++) {
        for (unsigned i = 0; i < 3; i++) {
            double time_s = 1e-6 * (b + 0.1 * i); /* median: b + 0.1 */
            made_roof(made_sample(run, name, b, 1, 0.5 * time_s, 1e9));
            made_sample(run, name, b, 1, time_s, 1e9);
        }
    }
}

static inline void add_stream(struct run_records *run, const char *stream, double time_s, bool roof)
{
    char name[80];
    snprintf(name, sizeof name, "beta/memory/t2/%s", stream);
    made_cell(run, name, 0, 1);
    for (unsigned b = 1; b <= 4; b++) {
        made_sample(run, name, b, 1, time_s, 1e9);
        made_sample(run, name, b, 1, time_s, 1e9);
    }
    json_array_append_new(run->records,
                          json_pack("{s:s, s:s, s:s, s:i, s:i, s:b}", "type", "beta", "name", stream, "level", "memory",
                                    "threads", 2, "bytes_per_sample_per_core", 500, "roof", (int)roof));
}
