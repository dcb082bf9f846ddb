/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <argp.h>
#include <jansson.h>
#include <stdbool.h>

#include "harness/cmd/console/table.h"
#include "harness/plan/decode_job.h"

/** How passes are printed: a table of them, then one of their parts. */
struct decode_table {
    const char *command;
    const struct cell_kind *kind; /* of the cells */
    void (*header)(const struct decode_job *job);
    const struct table *passes;
    bool has_tokens, has_sync; /* columns of the table of parts */
};

/** Both tables, and the remedy for rows without a number. @return exit code */
int decode_table_print(const struct decode_table *table, const struct session *session, const struct cells *cells,
                       const struct decode_job *job, const struct table_view *view);

/** Columns of both tables; which are of tokens or of prompts alone, they say themselves. */
enum { DECODE_COLUMNS = 20 };
extern const struct table_column decode_columns[DECODE_COLUMNS];

/** One line on standard error with what it is going to take, where that is more than a minute. */
void decode_print_estimate(const char *command, const struct decode_job *job, const struct session *session);

/** What the meetings of a pass of the first of them take by each way that threads have; nothing for one thread. */
void decode_table_print_joins(const struct decode_table *table, const struct session *session,
                              const struct cells *cells);

/** What takes the matrices of a pass of several types, or that they are only read; of one kernel for all layers the table has it. */
void decode_table_print_uses(const json_t *record);

/** "llama3.2-1b: 16 layers, hidden 2048, …", with its newline. */
void decode_table_print_model(const struct model *model);

/** What `decode --prefill` reads and prints otherwise than `decode`. */

/** "16,512,2048": each 1 to PREFILL_TOKENS_MOST and once; argp_error()s otherwise. */
void lengths_parse(const char *option, const char *text, size_t most, size_t lengths[DECODE_JOB_LENGTHS], size_t *count,
                   struct argp_state *state);

/** "16,512,128+2048": each once; argp_error()s otherwise. */
void contexts_parse(const char *text, struct decode_lengths contexts[DECODE_JOB_LENGTHS], size_t *count,
                    struct argp_state *state);

/** "bf16,q8_0", each once, as decode_job.caches; argp_error()s otherwise. */
void caches_parse(const char *text, unsigned *caches, struct argp_state *state);

/** The columns of prompts. */
extern const struct table prefill_table;

/** Passes, their parts, and what they mean. @return exit code */
int prefill_print(const char *command, const struct session *session, const struct cells *cells,
                  const struct decode_job *job, const struct table_view *view);
