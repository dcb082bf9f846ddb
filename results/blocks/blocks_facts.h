/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RESULTS_BLOCKS_BLOCKS_FACTS_H
#define RESULTS_BLOCKS_BLOCKS_FACTS_H

#include <jansson.h>

#include "results/blocks/blocks.h"

/** What a run says of itself beside its cells: pages, stolen time, what a change of layout does; for results/blocks/blocks.h. */

/** Fill pages, noise.steal_share and layout, and leave out the blocks whose roof moved, once the cells are there. */
void blocks_take_facts(const struct run_records *records, struct blocks *blocks);

#endif
