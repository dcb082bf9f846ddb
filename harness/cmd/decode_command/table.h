/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CMD_DECODE_COMMAND_TABLE_H
#define HARNESS_CMD_DECODE_COMMAND_TABLE_H

#include <jansson.h>
#include <stdbool.h>

#include "harness/plan/decode_job.h"

/** How passes are printed: a table of them, then one of their parts. */
struct decode_table {
    const struct cell_kind *kind; /* of the cells */
    void (*header)(const struct decode_job *job);
    bool (*row)(const json_t *record); /* false for one without a number */
    void (*parts_header)(void);
    void (*parts)(const json_t *record);
};

/** Both tables, and the remedy for rows without a number. */
void decode_table_print(const struct decode_table *table, const struct session *session, const struct cells *cells,
                        const struct decode_job *job);

/** What the meetings of a pass of the first of them take by each way that threads have; nothing for one thread. */
void decode_table_print_joins(const struct decode_table *table, const struct session *session,
                              const struct cells *cells);

/** "llama3.2-1b: 16 layers, hidden 2048, …", with its newline. */
void decode_table_print_model(const struct model *model);

#endif
