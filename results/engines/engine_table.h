/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RESULTS_ENGINES_ENGINE_TABLE_H
#define RESULTS_ENGINES_ENGINE_TABLE_H

#include "results/engines/engine_results.h"

/**
 * The table that llama-bench prints without -o, in Markdown, between whatever else a script prints:
 *
 *     | model                 |       size |     params | backend    | threads |          test |              t/s |
 *     | --------------------- | ---------: | ---------: | ---------- | ------: | ------------: | ---------------: |
 *     | llama 1B Q4_0         | 729.75 MiB |     1.24 B | CPU        |       2 |          tg32 |     25.60 ± 0.13 |
 *
 * The mean of the repetitions and their standard deviation; it does not say how many there were. Columns are found by their headings. Lines
 * that are no result are left out.
 *
 * @return 0, also if there is no such table; -EINVAL a row without a test or a rate; -ENOMEM; or the error of reading, with one line in why
 */
int engine_table_read(const char *path, struct engine_results *results, char *why, size_t size);

#endif
