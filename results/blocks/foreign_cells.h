/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RESULTS_BLOCKS_FOREIGN_CELLS_H
#define RESULTS_BLOCKS_FOREIGN_CELLS_H

#include <jansson.h>
#include <stddef.h>

#include "results/blocks/blocks.h"

/** Blocks of another benchmark in the making, and the tools that results/blocks/foreign.h knows, one file each. */

/**
 * One more sample of a cell, which is made when it is first named. A sample of no time (not above 0, or not finite)
 * counts as rejected.
 * @return 0 or -ENOMEM
 */
int foreign_add(struct blocks *blocks, const char *cell, double seconds);

/** A JSON document is of llama-bench: an array of its tests. */
bool foreign_is_llama_bench(const json_t *document);
/** Take it: cells and facts. @return 0, -EINVAL with the reason in why (no path), -ENOMEM */
int foreign_take_llama_bench(const json_t *document, struct blocks *blocks, char *why, size_t size);

/** "n_batch=128 type_k=q8_0": each of its parameters that is not the tool's default. */
void foreign_llama_bench_parameters(const json_t *test, char *text, size_t size);

bool foreign_is_google_benchmark(const json_t *document);
int foreign_take_google_benchmark(const json_t *document, struct blocks *blocks, char *why, size_t size);

#endif
