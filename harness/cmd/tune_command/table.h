/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CMD_TUNE_COMMAND_TABLE_H
#define HARNESS_CMD_TUNE_COMMAND_TABLE_H

#include "results/tuning.h"

/** What `tune` found, as lines or, with json, as a record of type "tuned" for each kernel and problem. @return exit code */
int table_print(const char *command, const struct tuning_table *table, bool json);

/** What matching loses, and where the table is; a record of type "tuning". @return exit code */
int table_print_end(const char *command, const struct tuning_table *table, const char *path, bool json);

#endif
