/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CMD_DECODE_COMMAND_PREFILL_H
#define HARNESS_CMD_DECODE_COMMAND_PREFILL_H

#include <argp.h>

#include "harness/cmd/console/table.h"
#include "harness/plan/decode_job.h"

/** What `decode --prefill` reads and prints otherwise than `decode`. */

/** "16,512,2048": each 1 to PREFILL_TOKENS_MOST and once; argp_error()s otherwise. */
void prefill_parse(const char *text, size_t tokens[DECODE_JOB_PREFILLS], size_t *count, struct argp_state *state);

/** One line on standard error with what it is going to take, where that is more than a minute. */
void prefill_print_estimate(const char *command, const struct decode_job *job, const struct session *session);

/** The columns of prompts. */
extern const struct table prefill_table;

/** Passes, their parts, and what they mean. @return exit code */
int prefill_print(const char *command, const struct session *session, const struct cells *cells,
                  const struct decode_job *job, const struct table_view *view);

#endif
