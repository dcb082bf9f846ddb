/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

#include "results/blocks/blocks.h"

/**
 * What other benchmarks wrote, as blocks that can be compared: `llama-bench -o json` and `-o jsonl`, and the JSON of
 * google/benchmark. Their samples are used unfiltered: none was rejected for a cause, the clock is the benchmark's own, and
 * all of a file come from one process, so that each sample is a replicate of its own (blocks->processes is false) and
 * what differs between processes is not allowed for. blocks->source names the tool.
 *
 * A cell is a test with its parameters:
 *
 *   llama-bench       "llama 7B Q4_0/pp512/t4", with " @ d4096" for a depth and " n_batch=128" for each parameter that is
 *                     not the tool's default. Its values are seconds of a repetition (samples_ns).
 *   google/benchmark  the name of the benchmark. Its values are seconds of an iteration (real_time), one for each
 *                     repetition; aggregates are left out.
 *
 * A repetition that failed, or that has no time, counts as rejected.
 */

/**
 * @return 0; -ENOTSUP the file is not of these tools, and nothing is said; -EINVAL it is, and has no samples or is
 * damaged; -ENOMEM; or the error of the file system; with one line in why
 */
int foreign_read(const char *path, struct blocks *blocks, char *why, size_t size);

/**
 * The JSON that such a file holds: a document, or an array of its lines where each is a test of llama-bench.
 * @param file      of input_open_whole(); read from its beginning
 * @param document  receives a new reference; NULL if it is neither
 * @return 0, -ENOMEM, or the error of reading
 */
int foreign_document(FILE *file, json_t **document);

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
